#ifndef LUNA_REFERENCE_H
#define LUNA_REFERENCE_H

// The model as upstream MLIR computes it on the host: tosa to linalg to LLVM,
// by the steps of luna-c/upstream.h. Of LUNA it has what the operators mean,
// the numbering of branches, and the passes that luna_upstream_shared_passes
// names, whose faults it shares; luna/literal.h judges these. Of a planned
// function: each operator in the bytes of the arena that the plan gave it, each
// transfer a copy when it is awaited.

#include "luna/error.h"
#include "luna/native_code.h"
#include "luna/program.h"
#include "luna/vector.h"
#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The role of an argument or result of the model's function. A planned
/// function writes its outputs to arguments and has the arena as its last.
typedef enum LunaReferenceRole {
  LUNA_REFERENCE_INPUT,
  LUNA_REFERENCE_OUTPUT,
  LUNA_REFERENCE_ARENA,
} LunaReferenceRole;

/// An argument or result, elements row-major, i1 as one byte.
typedef struct LunaReferenceValue {
  LunaReferenceRole role;
  uint8_t *data;
  size_t bytes, element_bytes;
  bool is_float;     ///< f32
  bool is_double;    ///< f64
  const char *state; ///< name of its state variable, or NULL
  uint8_t *initial;  ///< initial value of a state; NULL for zeros
  void *descriptor;  ///< memref
  size_t descriptor_bytes;
} LunaReferenceValue;

typedef struct LunaReference {
  LunaArena arena;
  LunaNativeCode code;
  LLVMOrcLLJITRef jit;
  const char *entry;          ///< symbol of the function to call
  LunaReferenceValue *values; ///< arguments, then results
  uint32_t argument_count, result_count;
  /// In program order, as luna-form-regions numbers.
  LUNA_VECTOR(LunaBranchKind) branches;
  bool is_plan; ///< of a planned function
  /// How many luna.quantize the model has, and the reference that judges them;
  /// NULL without any, of a plan, and where the model has several sizes.
  uint32_t quantizer_count;
  struct LunaLiteral *literal;
} LunaReference;

/// Lowers and compiles the first function of `module`, on tensors or planned,
/// which is modified and not needed afterwards. `optimisation_level` is LLVM's.
/// Fails with LUNA_ERROR_INPUT; a diagnostic may have details.
bool luna_reference_create(MlirModule module, int optimisation_level,
                           LunaReference *reference, LunaError *error);

/// Appends a reference to a record (luna/record.h), with its code.
void luna_reference_save(const LunaReference *reference, LunaText *record);

/// Makes the reference that luna_reference_save appended, with fresh values.
/// What it has is executed: the record must be trusted. Fails with
/// LUNA_ERROR_SETUP if it is not a record of a reference, or like
/// luna_native_load.
bool luna_reference_restore(const void *record, size_t length,
                            LunaReference *reference, LunaError *error);

/// Frees the resources of luna_reference_create, also after it failed.
void luna_reference_destroy(LunaReference *reference);

/// Returns true if its branches are those of `program`, so that both can be
/// forced to the same path.
bool luna_reference_has_branches_of(const LunaReference *reference,
                                    const LunaProgramInfo *program);

/// Returns the input, or output, number `index` of those that are not state.
LunaReferenceValue *luna_reference_input(const LunaReference *reference,
                                         uint32_t index);
LunaReferenceValue *luna_reference_output(const LunaReference *reference,
                                          uint32_t index);

/// Resets every state variable to its initial value.
void luna_reference_reset(LunaReference *reference);

/// A forced decision.
typedef struct LunaDecision {
  bool is_forced;
  int32_t value;
} LunaDecision;

/// Computes the results from the arguments; the new state is the state of the
/// next call. `decisions[0..count)` are the forced decisions by branch. Returns
/// false if the function is missing.
bool luna_reference_run(LunaReference *reference, const LunaDecision *decisions,
                        uint32_t count);

#ifdef __cplusplus
}
#endif

#endif // LUNA_REFERENCE_H
