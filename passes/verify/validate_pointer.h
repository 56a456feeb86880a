#ifndef VALIDATE_POINTER_H
#define VALIDATE_POINTER_H

// Where the memrefs of one of the two programs point.

#include "luna-c/ir.h"
#include "validate_memory.h"

typedef struct LunaSide LunaSide;

/// What a memref is a view of: an allocation, an argument or a global, and the
/// bytes of a memory that it has. A memref that a loop carries has the name of
/// the buffer that it is at first, and a memory for its contents
/// (validate_carried.h).
typedef struct LunaBuffer {
  uint32_t memory;
  int64_t begin_bytes, size_bytes;
  MlirOperation op;     ///< that allocates it; null for others
  MlirStringRef symbol; ///< of a global; data NULL for others
  intptr_t argument;    ///< its number; -1 for others
  /// Of an allocation of a plan, the memory of one byte that tells if it was
  /// accessed yet; 0 for others.
  uint32_t freshness;
} LunaBuffer;

/// Where the elements of a memref lie.
///
/// With a `window` it is a part of the memref described here: the part depends
/// on values known only at run time, which the term stands for.
typedef struct LunaPlace {
  uint32_t memory;
  const LunaBuffer *buffer;
  int64_t offset_bytes; ///< of the first element in its memory
  int64_t element_bytes;
  intptr_t rank;
  int64_t shape[LUNA_RANK_MAX], strides[LUNA_RANK_MAX]; ///< strides in bytes
  LunaTerm window;
  int64_t window_bytes;
} LunaPlace;

/// A place of a memref, and when it is there.
typedef struct LunaOption {
  const LunaPlace *place;
  LunaTerm condition;
} LunaOption;

/// Where a memref points: at one of several places, each of them once. One of
/// the conditions holds.
typedef struct LunaPointer {
  LUNA_VECTOR(LunaOption);
} LunaPointer;

/// Returns the tensor type with a memref's shape and elements: an operator's
/// result does not depend on layout and memory.
MlirType luna_tensor_like(MlirType memref);

/// Returns the place of a whole memref of `type` at `offset_bytes` of the
/// memory of `buffer`; NULL if the type has dynamic extents or strides, or its
/// bytes exceed 63 bits.
const LunaPlace *luna_side_point(LunaSide *side, MlirType type,
                                 const LunaBuffer *buffer,
                                 int64_t offset_bytes);
/// Returns a pointer to one place.
LunaPointer *luna_pointer_to(LunaSide *side, const LunaPlace *place);
/// Adds a place, or the condition if the pointer has the place.
void luna_pointer_add(LunaSide *side, LunaPointer *pointer,
                      const LunaPlace *place, LunaTerm condition);
/// Returns what `change` makes of each place; NULL if it is NULL for one.
const LunaPointer *
luna_pointer_map(LunaSide *side, const LunaPointer *pointer,
                 const LunaPlace *(*change)(LunaSide *side,
                                            const LunaPlace *place, void *data),
                 void *data);
/// Returns the choice of two pointers by a condition.
const LunaPointer *luna_side_choose(LunaSide *side, LunaTerm condition,
                                    const LunaPointer *a, const LunaPointer *b);
/// Returns true if both point to the same elements on every path.
bool luna_pointer_equal(const LunaPointer *a, const LunaPointer *b);

/// Returns the bytes of a memref of the pointer's shape.
int64_t luna_pointer_bytes(const LunaPointer *pointer);

/// Returns the bytes of a place.
int64_t luna_place_bytes(const LunaPlace *place);
/// Returns the bytes from the lowest element of a place to the highest, in its
/// memory; of a window those of the memref that it is a part of.
LunaPiece luna_place_span(const LunaPlace *place);
/// Returns true if two places have the same elements in the same order.
bool luna_place_equal(const LunaPlace *a, const LunaPlace *b);
/// Returns the bytes of a place in the order of its elements.
LunaPieces luna_place_pieces(const LunaSide *side, const LunaPlace *place);
/// Returns the address of byte `position` in the order of its elements.
int64_t luna_place_address(const LunaPlace *place, int64_t position);

#endif // VALIDATE_POINTER_H
