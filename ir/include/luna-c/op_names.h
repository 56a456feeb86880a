#ifndef LUNA_C_OP_NAMES_H
#define LUNA_C_OP_NAMES_H

// Names of operations and dialects as constants, so that a misspelt one does
// not compile. luna-c/op_names.def has the list.

#ifdef __cplusplus
extern "C" {
#endif

typedef enum LunaOpName {
#define LUNA_OP_NAME(NAME, name) LUNA_OP_##NAME,
#include "luna-c/op_names.def"
  LUNA_OP_COUNT
} LunaOpName;

typedef enum LunaDialectName {
#define LUNA_DIALECT_NAME(NAME, name) LUNA_DIALECT_##NAME,
#include "luna-c/op_names.def"
  LUNA_DIALECT_COUNT
} LunaDialectName;

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_OP_NAMES_H
