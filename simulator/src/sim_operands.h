#ifndef LUNA_SIM_OPERANDS_H
#define LUNA_SIM_OPERANDS_H

// What every operator of the unit goes through: its operands are admitted, its
// descriptor is judged, it computes, its output is marked and time passes.

#include "luna/cost.h"
#include "sim_access.h"

enum { LUNA_SIM_OPERANDS_MAX = 6 };

typedef struct LunaSimOperand {
  const char *role;
  LunaTensorDesc desc;
  const void *data;
  bool is_written;
  LunaSimAccess access;
} LunaSimOperand;

/// One call of an operator.
typedef struct LunaSimCall {
  LunaSimulator *sim;
  int32_t op;
  /// Works element by element: its output may be its input.
  bool is_elementwise;
  /// Carries bytes along as they are: those that hold no value may be read, and
  /// still hold none at the other end.
  bool is_copy;
  LunaSimOperand operands[LUNA_SIM_OPERANDS_MAX];
  int32_t operand_count;
} LunaSimCall;

/// Adds an operand.
void luna_sim_call_add(LunaSimCall *call, const char *role,
                       const LunaTensorDesc *desc, const void *data,
                       bool is_written);

/// Adds an operand unless it has no data.
void luna_sim_call_add_optional(LunaSimCall *call, const char *role,
                                const LunaTensorDesc *desc, const void *data,
                                bool is_written);

/// Checks every operand; false if the call must not touch memory.
bool luna_sim_call_admit(LunaSimCall *call);

/// Reports a call whose descriptor contradicts itself; gives false.
bool luna_sim_call_refuse(LunaSimCall *call, const char *fault);

/// Marks what the call wrote and charges its cost.
void luna_sim_call_finish(LunaSimCall *call, LunaCost cost);

#endif // LUNA_SIM_OPERANDS_H
