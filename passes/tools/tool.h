#ifndef TOOL_H
#define TOOL_H

// What the tools of this folder share: a context, and a main function that
// visits the functions of files.

#include "luna/machine.h"
#include "mlir-c/IR.h"

/// Exit codes of a tool, and what a visit of a function returns.
typedef enum LunaToolCode {
  LUNA_TOOL_EQUAL = 0,
  LUNA_TOOL_BAD_INPUT = 2,
  LUNA_TOOL_OTHER = 3, ///< what was compared is not equal
} LunaToolCode;

/// Returns a context with the dialects of plans.
MlirContext luna_tool_context(void);

/// Runs `NAME [--machine=M] FILE.mlir…`: visits each function with a body until
/// a visit returns another code than LUNA_TOOL_EQUAL. A visit may replace
/// operators, but not the function. Returns the last code, LUNA_TOOL_BAD_INPUT
/// without a function; a failure has been printed.
LunaToolCode luna_tool_run(int argc, char **argv, const char *name,
                           LunaToolCode (*visit)(MlirOperation func,
                                                 const LunaMachine *machine));

#endif // TOOL_H
