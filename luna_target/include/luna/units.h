#ifndef LUNA_UNITS_H
#define LUNA_UNITS_H

// The operators of the unit as a table: the contents of luna/units.def.

#include <stdbool.h>
#include <stdint.h>

#include "luna/cost.h"
#include "luna/error.h"
#include "luna/launches.h"
#include "luna/machine.h"
#include "luna/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The classes of unit operators, one for each function of the runtime API
/// that computes on the unit.
typedef enum LunaUnitClass {
#define LUNA_UNIT_CLASS(CLASS, name, Type) LUNA_UNIT_##CLASS,
#include "luna/units.def"
  LUNA_UNIT_CLASS_COUNT
} LunaUnitClass;

/// A descriptor of any class.
typedef struct LunaUnitDesc {
  LunaUnitClass unit_class;
  union {
    int32_t words[1]; ///< LunaUnitClassInfo.desc_words
#define LUNA_UNIT_CLASS(CLASS, name, Type) Luna##Type##Desc name;
#include "luna/units.def"
  } as;
} LunaUnitDesc;

/// An operator of the dialect.
typedef struct LunaUnitOp {
  LunaUnitClass unit_class;
  const char *name; ///< "luna.add"
  int32_t kind;     ///< LUNA_ATTRIBUTE_OP_KIND
} LunaUnitOp;

/// Returns the operators of all classes, `count` rows.
const LunaUnitOp *luna_unit_ops(int *count);

/// The role of an operand. The operands of a tiled operator are in this order.
typedef enum LunaOperandRole {
  LUNA_ROLE_INPUT,
  LUNA_ROLE_WEIGHT,
  LUNA_ROLE_BIAS,    ///< one 32-bit value for each output channel
  LUNA_ROLE_TABLE,   ///< parameters of a requantisation, or of an activation
  LUNA_ROLE_SCRATCH, ///< tiles, written before they are read
  LUNA_ROLE_OUTPUT,  ///< written whole, never read; the last operand
} LunaOperandRole;

enum { LUNA_ROLE_COUNT = LUNA_ROLE_OUTPUT + 1 };

typedef enum LunaOperandFlag {
  LUNA_OPERAND_REQUIRED,
  LUNA_OPERAND_OPTIONAL,
  LUNA_OPERAND_BROADCAST, ///< extents of 1 are repeated along the output
} LunaOperandFlag;

/// An operand of a class.
typedef struct LunaUnitOperand {
  LunaUnitClass unit_class;
  const char *name; ///< in the dialect and in the descriptor: "lhs"
  LunaOperandRole role;
  LunaOperandFlag flag;
  const char *text;      ///< in messages: "left matrix"
  uint32_t offset_bytes; ///< of its LunaTensorDesc in the descriptor
} LunaUnitOperand;

enum { LUNA_UNIT_OPERANDS_MAX = 6 };

/// Returns the operands of a class in the order of the dialect and of the
/// runtime call, `count` rows.
const LunaUnitOperand *luna_unit_class_operands(LunaUnitClass unit_class,
                                                int *count);

/// How a field of a descriptor is read.
typedef enum LunaAttributeKind {
  LUNA_ATTRIBUTE_INT,     ///< an integer
  LUNA_ATTRIBUTE_INTS,    ///< an array of as many integers as the field has
  LUNA_ATTRIBUTE_LAYOUT,  ///< a text, as two words (luna/weight_layout.h)
  LUNA_ATTRIBUTE_FLAG,    ///< 1 with the unit attribute, 0 without
  LUNA_ATTRIBUTE_REQUANT, ///< #luna.requant; the field is a LunaRequantDesc
  LUNA_ATTRIBUTE_TILING,  ///< the same; the field is a LunaTiling
  LUNA_ATTRIBUTE_OP_KIND, ///< no attribute: LunaUnitOp.kind
} LunaAttributeKind;

/// LunaUnitAttribute.absent of an attribute that an operator must have.
#define LUNA_NO_DEFAULT INT32_MIN

/// A field of a class's descriptor.
typedef struct LunaUnitAttribute {
  LunaUnitClass unit_class;
  LunaAttributeKind kind;
  const char *name;      ///< "stride"; NULL for LUNA_ATTRIBUTE_OP_KIND
  int32_t absent;        ///< each integer without the attribute
  uint32_t offset_bytes; ///< of the field in the descriptor
  uint32_t word_count;   ///< of 32 bits
} LunaUnitAttribute;

/// Returns the fields of a class's descriptor other than operands, `count`
/// rows.
const LunaUnitAttribute *luna_unit_class_attributes(LunaUnitClass unit_class,
                                                    int *count);

/// Chooses a tiling for a descriptor of one class; see luna/tiling.h.
typedef bool (*LunaUnitTiling)(const LunaMachine *machine, const void *desc,
                               int64_t scratch_limit_bytes, LunaTiling *tiling,
                               LunaError *error);

/// Writes the launches of a descriptor of one class; see luna/launches.h.
typedef const LunaProductRecord *(*LunaUnitLaunches)(const void *desc,
                                                     LunaArena *arena,
                                                     int32_t *word_count,
                                                     LunaError *error);

/// A class of operators.
typedef struct LunaUnitClassInfo {
  const char *runtime_call; ///< "luna_rt_conv2d"
  int32_t desc_words;       ///< size of its descriptor in 32-bit words
  /// Returns the cost that luna/cost.h gives for a descriptor of this class.
  LunaCost (*cost)(const LunaMachine *machine, const void *desc);
  LunaUnitTiling tiling;     ///< NULL where every operator is one launch
  LunaUnitLaunches launches; ///< NULL where every operator is one launch
  /// Checks the slots of its tiling (luna/slots.h); NULL likewise.
  bool (*check_slots)(const void *desc, LunaError *error);
} LunaUnitClassInfo;

/// Returns the description of a class.
const LunaUnitClassInfo *luna_unit_class(LunaUnitClass unit_class);

/// Returns true if an element of the output comes from one of each input, at
/// its place: the classes of LUNA_UNIT_IN_PLACE.
bool luna_unit_class_is_elementwise(LunaUnitClass unit_class);

/// Returns true if the unit of `machine` works in place on operators of a
/// class: its flag of LUNA_UNIT_IN_PLACE.
bool luna_unit_class_in_place(LunaUnitClass unit_class,
                              const LunaMachine *machine);

/// Returns the call by which the unit of `machine` computes a class, that of
/// its LUNA_UNIT_LAUNCH; NULL if the machine lacks it, so that the core
/// computes the class, and for classes without such a row.
const LunaUnitCall *luna_unit_class_call(LunaUnitClass unit_class,
                                         const LunaMachine *machine);

/// Returns true if the output of an operator may be an input: elementwise
/// operators and activations, where the core computes them or the machine's
/// unit works in place. Not over a table.
bool luna_unit_works_in_place(const LunaMachine *machine,
                              const LunaUnitDesc *desc);

#ifdef __cplusplus
}
#endif

#endif // LUNA_UNITS_H
