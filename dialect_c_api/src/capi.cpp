//===-- capi.cpp - the C face of the dialect's attributes and types -------===//

#include "LunaDialect.h"

#include "luna-c/dialect.h"
#include "luna/runtime.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

MlirAttribute lunaMemoryAttrGet(MlirContext context, LunaMemoryKind kind) {
  return wrap(luna::MemoryAttr::get(unwrap(context),
                                    static_cast<luna::MemoryKind>(kind)));
}

bool lunaAttributeIsAMemory(MlirAttribute attribute) {
  return isa_and_nonnull<luna::MemoryAttr>(unwrap(attribute));
}

LunaMemoryKind lunaMemoryAttrGetKind(MlirAttribute attribute) {
  auto memory = cast<luna::MemoryAttr>(unwrap(attribute));
  return static_cast<LunaMemoryKind>(memory.getKind());
}

MlirAttribute lunaRequantAttrGet(MlirContext context, LunaRequant requant) {
  FloatAttr scale;
  if (requant.mode == LUNA_REQUANT_FLOAT && !requant.per_channel)
    scale = FloatAttr::get(Float32Type::get(unwrap(context)), requant.scale);
  return wrap(luna::RequantAttr::get(
      unwrap(context), static_cast<luna::RequantMode>(requant.mode),
      static_cast<luna::Rounding>(requant.rounding), requant.per_channel,
      requant.multiplier, requant.shift, scale, requant.zero_point,
      requant.clamp_min, requant.clamp_max));
}

bool lunaAttributeIsARequant(MlirAttribute attribute) {
  return isa_and_nonnull<luna::RequantAttr>(unwrap(attribute));
}

LunaRequant lunaRequantAttrGetValue(MlirAttribute attribute) {
  auto requant = cast<luna::RequantAttr>(unwrap(attribute));
  return {static_cast<int32_t>(requant.getMode()),
          static_cast<int32_t>(requant.getRounding()),
          requant.getPerChannel(),
          requant.getMultiplier(),
          requant.getShift(),
          requant.getScale() && requant.getScale().getType().isF32()
              ? requant.getScale().getValue().convertToFloat()
              : 0.0f,
          requant.getZeroPoint(),
          requant.getClampMin(),
          requant.getClampMax()};
}

MlirAttribute lunaPlaceAttrGet(MlirContext context, LunaPlacement placement) {
  return wrap(luna::PlaceAttr::get(
      unwrap(context), placement.id, placement.offset_bytes,
      static_cast<luna::AllocationKind>(placement.kind),
      unwrap(placement.name)));
}

bool lunaAttributeIsAPlace(MlirAttribute attribute) {
  return isa_and_nonnull<luna::PlaceAttr>(unwrap(attribute));
}

LunaPlacement lunaPlaceAttrGetValue(MlirAttribute attribute) {
  auto place = cast<luna::PlaceAttr>(unwrap(attribute));
  return {place.getId(), place.getOffset(),
          static_cast<LunaAllocationKind>(place.getKind()),
          wrap(place.getName())};
}

const char *lunaAllocationKindName(LunaAllocationKind kind) {
  return luna::stringifyAllocationKind(static_cast<luna::AllocationKind>(kind))
      .data();
}

bool lunaAllocationKindParse(MlirStringRef keyword, LunaAllocationKind *kind) {
  std::optional<luna::AllocationKind> parsed =
      luna::symbolizeAllocationKind(unwrap(keyword));
  if (parsed)
    *kind = static_cast<LunaAllocationKind>(*parsed);
  return parsed.has_value();
}

MlirAttribute lunaDenseElementsFromResource(MlirAttribute attribute) {
  auto resource =
      dyn_cast_or_null<DenseResourceElementsAttr>(unwrap(attribute));
  AsmResourceBlob *blob =
      resource ? resource.getRawHandle().getBlob() : nullptr;
  bool isSplat = false;
  if (!blob || !DenseElementsAttr::isValidRawBuffer(resource.getType(),
                                                    blob->getData(), isSplat))
    return wrap(Attribute());
  return wrap(
      DenseElementsAttr::getFromRawBuffer(resource.getType(), blob->getData()));
}

MlirType lunaTokenTypeGet(MlirContext context) {
  return wrap(luna::TokenType::get(unwrap(context)));
}

bool lunaTypeIsAToken(MlirType type) {
  return isa<luna::TokenType>(unwrap(type));
}

void lunaEmitWarning(MlirOperation op, const char *message) {
  emitWarning(unwrap(op)->getLoc()) << message;
}

void lunaEmitRemark(MlirOperation op, const char *message) {
  emitRemark(unwrap(op)->getLoc()) << message;
}

void lunaEmitErrorWithNotes(MlirOperation op, const char *message,
                            const char *const *notes, size_t note_count) {
  InFlightDiagnostic diagnostic = unwrap(op)->emitError(message);
  for (size_t i = 0; i < note_count; ++i)
    diagnostic.attachNote() << notes[i];
}

void lunaEmitErrorWithNotesAt(MlirOperation op, const char *message,
                              const LunaNote *notes, size_t note_count) {
  InFlightDiagnostic diagnostic = unwrap(op)->emitError(message);
  for (size_t i = 0; i < note_count; ++i)
    diagnostic.attachNote(unwrap(notes[i].op)->getLoc()) << notes[i].message;
}

MlirOperation lunaOperationGetPrevInBlock(MlirOperation op) {
  return wrap(unwrap(op)->getPrevNode());
}

MlirAttribute lunaOperationGetAttributes(MlirOperation op) {
  return wrap(Attribute(unwrap(op)->getAttrDictionary()));
}

bool lunaOperationIsConstantLike(MlirOperation op) {
  return unwrap(op)->hasTrait<OpTrait::ConstantLike>();
}
