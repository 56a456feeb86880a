#ifndef LUNA_C_DIALECT_H
#define LUNA_C_DIALECT_H

//===-- luna-c/dialect.h - attributes and types of the luna dialect -------===//

#include "mlir-c/IR.h"
#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Luna, luna);

/// The memories, with their values in `#luna.memory`.
typedef enum LunaMemoryKind {
  LUNA_MEMORY_SHARED = 0,
  LUNA_MEMORY_PSRAM = 1,
  LUNA_MEMORY_FLASH = 2,
} LunaMemoryKind;

/// The parameters of `#luna.requant`; modes and roundings as in the dialect's
/// enums (0 none, 1 shift, 2 multiplier, 3 float; 0 single, 1 double). `scale`
/// belongs to mode float, multiplier and shift to the others.
typedef struct LunaRequant {
  int32_t mode;
  int32_t rounding;
  bool per_channel;
  int32_t multiplier;
  int32_t shift;
  float scale;
  int32_t zero_point;
  int32_t clamp_min;
  int32_t clamp_max;
} LunaRequant;

/// Returns `#luna.memory<kind>`.
MlirAttribute lunaMemoryAttrGet(MlirContext context, LunaMemoryKind kind);
/// Returns true if `attribute` (which may be null) is a `#luna.memory`.
bool lunaAttributeIsAMemory(MlirAttribute attribute);
/// Returns the kind of a `#luna.memory`.
LunaMemoryKind lunaMemoryAttrGetKind(MlirAttribute attribute);

/// Returns `#luna.requant` with these parameters.
MlirAttribute lunaRequantAttrGet(MlirContext context, LunaRequant requant);
/// Returns true if `attribute` (which may be null) is a `#luna.requant`.
bool lunaAttributeIsARequant(MlirAttribute attribute);
/// Returns the parameters of a `#luna.requant`.
LunaRequant lunaRequantAttrGetValue(MlirAttribute attribute);

/// What a buffer is for, with the values in `#luna.place`.
typedef enum LunaAllocationKind {
  LUNA_ALLOCATION_TENSOR = 0,
  LUNA_ALLOCATION_INPUT = 1,
  LUNA_ALLOCATION_OUTPUT = 2,
  LUNA_ALLOCATION_STAGING = 3,
  LUNA_ALLOCATION_SCRATCH = 4,
} LunaAllocationKind;

/// The greatest id of a buffer in `#luna.place`.
enum { LUNA_PLACE_ID_MAX = (1 << 30) - 1 };

/// The parameters of `#luna.place`. The name is borrowed from the context.
typedef struct LunaPlacement {
  int64_t id;
  int64_t offset_bytes;
  LunaAllocationKind kind;
  MlirStringRef name;
} LunaPlacement;

/// Returns `#luna.place` with these parameters, neither negative.
MlirAttribute lunaPlaceAttrGet(MlirContext context, LunaPlacement placement);
/// Returns true if `attribute` (which may be null) is a `#luna.place`.
bool lunaAttributeIsAPlace(MlirAttribute attribute);
/// Returns the parameters of a `#luna.place`.
LunaPlacement lunaPlaceAttrGetValue(MlirAttribute attribute);

/// Returns the keyword of a kind, "staging" say.
const char *lunaAllocationKindName(LunaAllocationKind kind);
/// Writes the kind with this keyword; returns false if there is none.
bool lunaAllocationKindParse(MlirStringRef keyword, LunaAllocationKind *kind);

/// Returns `!luna.token`.
MlirType lunaTokenTypeGet(MlirContext context);
/// Returns true if `type` is `!luna.token`.
bool lunaTypeIsAToken(MlirType type);

/// Returns the contents of a `dense_resource` attribute as dense elements, or a
/// null attribute if it is none, or if its blob is absent or does not have its
/// type.
MlirAttribute lunaDenseElementsFromResource(MlirAttribute attribute);

/// Emits a warning or remark at the place of `op`, without its text (mlir-c 22
/// has errors only).
void lunaEmitWarning(MlirOperation op, const char *message);
void lunaEmitRemark(MlirOperation op, const char *message);

/// Emits one error at `op` followed by `note_count` notes, as one diagnostic.
void lunaEmitErrorWithNotes(MlirOperation op, const char *message,
                            const char *const *notes, size_t note_count);

/// One note of a diagnostic and the op it points at.
typedef struct LunaNote {
  MlirOperation op;
  const char *message;
} LunaNote;

/// Emits one error at `op` followed by notes at other ops, as one diagnostic.
void lunaEmitErrorWithNotesAt(MlirOperation op, const char *message,
                              const LunaNote *notes, size_t note_count);

/// Returns the operation before `op` in its block, or a null operation.
MlirOperation lunaOperationGetPrevInBlock(MlirOperation op);

/// Returns all attributes of `op`, in one dictionary. Upstream's access by
/// position builds that anew for each.
MlirAttribute lunaOperationGetAttributes(MlirOperation op);

/// Returns true if `op` has the ConstantLike trait.
bool lunaOperationIsConstantLike(MlirOperation op);

#ifdef __cplusplus
}
#endif

#endif // LUNA_C_DIALECT_H
