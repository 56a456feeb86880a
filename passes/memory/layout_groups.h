#ifndef LUNA_LAYOUT_GROUPS_H
#define LUNA_LAYOUT_GROUPS_H

// Memref values that have one layout: buffers, their views, and what control
// flow merges.

#include <stdbool.h>
#include <stdint.h>

#include "luna/arena.h"
#include "luna/map.h"
#include "luna/vector.h"
#include "mlir-c/IR.h"

enum { LUNA_NO_GROUP = UINT32_MAX };

typedef struct LunaLayoutValue {
  MlirValue value;
  uint32_t parent; ///< of its group, by union-find
  uint32_t next;   ///< of its group, or LUNA_NO_GROUP
  MlirType rows, planes;
  bool is_fixed;   ///< of a root: the group stays as it is
  bool is_outside; ///< of a root: arguments and constants
  bool is_planar;  ///< of a root
  bool has_calls;  ///< of a root: calls of the vendor's library want planes
} LunaLayoutValue;

typedef struct LunaLayoutGroups {
  LunaArena *arena;
  LunaMap index;
  LUNA_VECTOR(LunaLayoutValue) values;
} LunaLayoutGroups;

/// Returns the type with the strides of [channel][y][x], or null: a memref of
/// other than four dimensions, or of other strides than rows of channels.
MlirType luna_planar_type(MlirType type);

/// Returns true if planes of a type of four dimensions lie as its rows do: of
/// one channel, or one place.
bool luna_planes_are_rows(MlirType type);

/// Finds the groups of a bufferised function, before memories are assigned. A
/// group is fixed where an operator needs rows of channels: one that reshapes
/// it, weights, a matrix product.
void luna_layout_groups(LunaLayoutGroups *groups, MlirOperation func,
                        LunaArena *arena);

/// Fixes the groups that are copied from or to an argument or constant.
void luna_layout_fix_copies(LunaLayoutGroups *groups, MlirOperation func);

/// Marks the groups that calls of the vendor's library use, those of
/// convolutions and max poolings.
void luna_layout_mark_calls(LunaLayoutGroups *groups, MlirOperation func);

/// Puts buffers between what such calls use and the arguments and constants
/// that it is copied from or to, or merged from, so that these do not fix its
/// group.
void luna_layout_split_copies(MlirOperation func);

/// Returns the number of the group of `value`, or LUNA_NO_GROUP if it is not a
/// memref or the group is fixed.
uint32_t luna_layout_group(LunaLayoutGroups *groups, MlirValue value);

/// Sets the strides of all values of a group that is not fixed: planar or those
/// that they had.
void luna_layout_set(LunaLayoutGroups *groups, uint32_t group, bool is_planar);

#endif // LUNA_LAYOUT_GROUPS_H
