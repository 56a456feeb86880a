#ifndef LUNA_SIM_OPERANDS_H
#define LUNA_SIM_OPERANDS_H

// The stages of every unit operator: admit the operands, judge the descriptor,
// compute, mark the output, and advance the time.

#include "kernels.h"
#include "sim_access.h"

typedef struct LunaSimOperand {
  const char *role;
  LunaTensorDesc desc;
  int32_t buffer, content; // ids
  const void *data;
  bool is_written, is_scratch;
  LunaSimAccess access;
} LunaSimOperand;

/// One call of an operator.
typedef struct LunaSimCall {
  LunaSimulator *sim;
  const int32_t *ids;
  int32_t op;
  /// True for elementwise operators, whose output may be an input.
  bool is_elementwise;
  /// True for copies: undefined bytes may be read, and stay undefined in the
  /// target.
  bool is_copy;
  LunaSimOperand operands[LUNA_UNIT_OPERANDS_MAX];
  int32_t operand_count;
} LunaSimCall;

/// Opens a call with its ids.
void luna_sim_call_open(LunaSimCall *call, const int32_t *ids);

/// Adds the operand that is pointer `index` of the call.
void luna_sim_call_add(LunaSimCall *call, int index, const char *role,
                       const LunaTensorDesc *desc, const void *data,
                       bool is_written);

/// Checks every operand and starts the operator's account of time. Returns
/// false if the call must not access memory.
bool luna_sim_call_admit(LunaSimCall *call);

/// Reports a fault of the descriptor. Returns true if `fault` is NULL.
bool luna_sim_call_accept(LunaSimCall *call, const char *fault);

/// Marks the output and ends the operator's account of time.
void luna_sim_call_finish(LunaSimCall *call);

//===- Unit operators -----------------------------------------------------===//

/// Returns the operands of `unit_class`, of which `data` has the pointers in
/// the order of luna/units.def.
LunaKernelOperands luna_sim_kernel_operands(LunaUnitClass unit_class,
                                            const void *const *data);

/// Opens a call with a descriptor of `unit_class`: adds its operands, and says
/// whether the unit works in place.
void luna_sim_unit_open(LunaSimCall *call, LunaUnitClass unit_class,
                        const void *desc, const int32_t *ids,
                        const void *const *data);

/// Opens a call and checks every operand. Returns false if it must not access
/// memory.
bool luna_sim_unit_begin(LunaSimCall *call, LunaUnitClass unit_class,
                         const void *desc, const int32_t *ids,
                         const void *const *data);

#endif // LUNA_SIM_OPERANDS_H
