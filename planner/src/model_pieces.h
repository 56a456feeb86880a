#ifndef LUNA_MODEL_PIECES_H
#define LUNA_MODEL_PIECES_H

// Buffers in pieces: the bytes that all accesses of a program treat alike.

#include "luna/model.h"

/// A copy between slices of as many elements, by their numbers.
typedef struct LunaSliceCopy {
  uint32_t from, to;
} LunaSliceCopy;

/// Runs of bytes, in the order of the elements of a slice.
typedef struct LunaGranules {
  const uint32_t *items;
  uint64_t count;
} LunaGranules;

/// A buffer in pieces. One that is only accessed whole is one piece.
typedef struct LunaPieces {
  bool is_split;
  /// By granule: its piece.
  uint32_t *piece_of;
  uint32_t piece_count;
  /// By piece: its size, and the largest power of two up to `align_bytes` that
  /// divides where its runs begin.
  int64_t *piece_bytes, *piece_align;
} LunaPieces;

/// What the accesses of a model make of its values.
typedef struct LunaPartition {
  LunaArena *arena;
  const LunaModel *model;
  /// By slice: true if it counts; its layout is known.
  bool *is_cut;
  /// By value.
  LunaPieces *buffers;
  LUNA_VECTOR(LunaSliceCopy) copies;
  /// All slices of split buffers consist of aligned runs of this size.
  int64_t granule_bytes;
  /// By slice.
  LunaGranules *granules;
} LunaPartition;

/// Cuts the buffers into the fewest pieces such that every slice and every copy
/// is of whole pieces, and a copy takes each of them to one. Returns false if
/// that is too much work: then there are no pieces.
bool luna_partition_cut(LunaPartition *partition, int64_t align_bytes);

/// Calls `visit` for each piece that a copy takes from one slice to another;
/// for each of a slice where that is both.
void luna_copy_pieces(const LunaPartition *partition, LunaSliceCopy copy,
                      void (*visit)(void *data, uint32_t from, uint32_t to),
                      void *data);

#endif // LUNA_MODEL_PIECES_H
