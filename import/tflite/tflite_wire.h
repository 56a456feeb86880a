#ifndef LUNA_TFLITE_WIRE_H
#define LUNA_TFLITE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The FlatBuffers wire format, read in place. A table starts with a signed
// 32-bit distance back to its vtable; a vtable holds its own size, the size of
// the table and one 16-bit offset per field (0: absent). Strings, vectors and
// tables are reached by an unsigned 32-bit distance forward.
//
// Every access is checked against the file. The first fault is kept in the
// reader; from then on all values read as absent, so that callers test once,
// after a stretch of reads.

/// A file being read. Initialise with data and size_bytes, the rest zero.
typedef struct LunaFlat {
  const uint8_t *data;
  size_t size_bytes;
  /// What is wrong with the file, or NULL, and where.
  const char *fault;
  size_t fault_offset;
  /// Bytes of all vectors met. More than a few times the file means that the
  /// file uses them over and over, to make a reader use up its memory.
  uint64_t vector_bytes;
} LunaFlat;

/// A table; absent when `offset` is 0.
typedef struct LunaFlatTable {
  size_t offset, vtable;
  uint16_t vtable_bytes, table_bytes;
} LunaFlatTable;

/// A vector of `count` elements from `offset` on; absent when `offset` is 0.
typedef struct LunaFlatVector {
  size_t offset;
  uint32_t count;
} LunaFlatVector;

/// Returns the root table. A file that is too short, larger than 2 GiB or has
/// another identifier at byte 4 is at fault.
LunaFlatTable luna_flat_root(LunaFlat *flat, const char identifier[4]);

/// Returns the value of a scalar field, or `absent`.
int64_t luna_flat_i8(LunaFlat *flat, LunaFlatTable table, unsigned field,
                     int64_t absent);
int64_t luna_flat_i32(LunaFlat *flat, LunaFlatTable table, unsigned field,
                      int64_t absent);
int64_t luna_flat_u32(LunaFlat *flat, LunaFlatTable table, unsigned field,
                      int64_t absent);
bool luna_flat_bool(LunaFlat *flat, LunaFlatTable table, unsigned field,
                    bool absent);
float luna_flat_f32(LunaFlat *flat, LunaFlatTable table, unsigned field,
                    float absent);

/// Returns the table of a field (or of the value of a union).
LunaFlatTable luna_flat_table(LunaFlat *flat, LunaFlatTable table,
                              unsigned field);
/// Returns the vector of a field; all its elements lie in the file.
LunaFlatVector luna_flat_vector(LunaFlat *flat, LunaFlatTable table,
                                unsigned field, unsigned element_bytes);

/// Returns element `i` (below the count).
int32_t luna_flat_i32_at(const LunaFlat *flat, LunaFlatVector vector,
                         uint32_t i);
int64_t luna_flat_i64_at(const LunaFlat *flat, LunaFlatVector vector,
                         uint32_t i);
float luna_flat_f32_at(const LunaFlat *flat, LunaFlatVector vector, uint32_t i);
LunaFlatTable luna_flat_table_at(LunaFlat *flat, LunaFlatVector vector,
                                 uint32_t i);

#endif // LUNA_TFLITE_WIRE_H
