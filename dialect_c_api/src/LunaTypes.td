//===-- LunaTypes.td - The luna dialect's types ------------*- tablegen -*-===//
//
// The dialect, its enums, attributes and types, and the types that operators
// take.
//
//===----------------------------------------------------------------------===//

#ifndef LUNA_TYPES_TD
#define LUNA_TYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Luna_Dialect : Dialect {
  let name = "luna";
  let cppNamespace = "::luna";
  let summary = "the LUNA neural network unit and its memories";
  let description = [{
    Operators of the LUNA unit, DMA transfers between off-chip PSRAM and on-chip
    shared memory, and the straight-line regions in which weights are
    prefetched.
  }];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let extraClassDeclaration = [{
    /// Returns the resource `name`, loaded once for the context, or null with
    /// `error` set. Threads may call it at once.
    std::shared_ptr<const void> getResource(const LunaResourceDesc *desc,
                                            llvm::StringRef name,
                                            LunaError *error);

    /// See luna_set_plan_source.
    const LunaPlanSource *planSource = nullptr;

  private:
    std::mutex resourceMutex;
    std::map<std::pair<const LunaResourceDesc *, std::string>,
             std::shared_ptr<const void>> resources;

  public:
  }];
}

//===----------------------------------------------------------------------===//
// Attributes and types
//===----------------------------------------------------------------------===//

class Luna_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::luna";
  let genSpecializedAttr = 0;
}

def Luna_MemoryKind : Luna_Enum<"MemoryKind", "a memory of the machine", [
  I32EnumAttrCase<"Shared", 0, "shared">,
  I32EnumAttrCase<"Psram", 1, "psram">,
  I32EnumAttrCase<"Flash", 2, "flash">,
]>;

def Luna_RequantMode : Luna_Enum<"RequantMode", "how results are requantised", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Shift", 1, "shift">,
  I32EnumAttrCase<"Multiplier", 2, "multiplier">,
  I32EnumAttrCase<"Float", 3, "float">,
]>;

def Luna_Rounding : Luna_Enum<"Rounding", "rounding of a multiplier", [
  I32EnumAttrCase<"Single", 0, "single">,
  I32EnumAttrCase<"Double", 1, "double">,
]>;

def Luna_TieRounding : Luna_Enum<"TieRounding", "where an exact tie goes", [
  I32EnumAttrCase<"HalfEven", 0, "half_even">,
  I32EnumAttrCase<"HalfAway", 1, "half_away">,
  I32EnumAttrCase<"HalfUp", 2, "half_up">,
]> {
  // An i32 attribute that is printed as its keyword.
  let genSpecializedAttr = 1;
}

def Luna_ConvKind : Luna_Enum<"ConvKind", "kind of convolution", [
  I32EnumAttrCase<"Normal", 0, "normal">,
  I32EnumAttrCase<"Depthwise", 1, "depthwise">,
  I32EnumAttrCase<"Transposed", 2, "transposed">,
]>;

def Luna_AllocationKind : Luna_Enum<"AllocationKind", "what a buffer is for", [
  I32EnumAttrCase<"Tensor", 0, "tensor">,
  I32EnumAttrCase<"Input", 1, "input">,
  I32EnumAttrCase<"Output", 2, "output">,
  I32EnumAttrCase<"Staging", 3, "staging">,
  I32EnumAttrCase<"Scratch", 4, "scratch">,
]>;

class Luna_Attr<string name, string attrMnemonic> : AttrDef<Luna_Dialect, name> {
  let mnemonic = attrMnemonic;
}

def Luna_MemoryAttr : Luna_Attr<"Memory", "memory"> {
  let summary = "memory space of a memref";
  let description = [{
    `shared` is the fast on-chip memory (activations, scratch, staged weights),
    `psram` the slow off-chip one (weights, model inputs and outputs), `flash`
    read-only storage. Example: `memref<64xi8, #luna.memory<psram>>`.
  }];
  let parameters = (ins EnumParameter<Luna_MemoryKind>:$kind);
  let assemblyFormat = "`<` $kind `>`";
}

def Luna_RequantAttr : Luna_Attr<"Requant", "requant"> {
  let summary = "how 32-bit results become the output type";
  let description = [{
    `none` stores 32-bit results. `shift` is the arithmetic of the unit,
    `clamp(floor(acc * 2^-shift + 0.5) + zero_point)`. `multiplier` is TOSA's
    apply_scale_32 with `rounding`, either with `multiplier` and `shift` given
    here or, with `per_channel`, from the operator's table operand
    (`2xCxi32`: multipliers, then shifts). `float` is ONNX's arithmetic,
    `clamp(round_half_even(float(acc) * scale) + zero_point)` in f32, with
    `scale` given here or, with `per_channel`, from the table operand (`Cxf32`).
    Parameters at their default are not printed. Example:
    `#luna.requant<mode = multiplier, rounding = double, per_channel = true,
     zero_point = -128>`.
  }];
  let parameters = (ins
    DefaultValuedParameter<"::luna::RequantMode",
                           "::luna::RequantMode::None">:$mode,
    DefaultValuedParameter<"::luna::Rounding",
                           "::luna::Rounding::Single">:$rounding,
    DefaultValuedParameter<"bool", "false">:$per_channel,
    DefaultValuedParameter<"int32_t", "0">:$multiplier,
    DefaultValuedParameter<"int32_t", "0">:$shift,
    OptionalParameter<"::mlir::FloatAttr">:$scale,
    DefaultValuedParameter<"int32_t", "0">:$zero_point,
    DefaultValuedParameter<"int32_t", "-128">:$clamp_min,
    DefaultValuedParameter<"int32_t", "127">:$clamp_max
  );
  let assemblyFormat = "`<` struct(params) `>`";
}

def Luna_PlaceAttr : Luna_Attr<"Place", "place"> {
  let summary = "place of an allocation in the arena";
  let description = [{
    The attribute `luna.place` of every `memref.alloc` in shared memory of a
    planned function: the buffer that it is, the offset of the buffer in bytes
    from the base of the arena, what it is for, and its name in reports (none
    where it is left out).
    Allocations with one `id` are one buffer and lie at one offset. Example:
    `#luna.place<id = 2, offset = 64, kind = staging, name = "staging2">`.
  }];
  let parameters = (ins
    "int64_t":$id, "int64_t":$offset,
    EnumParameter<Luna_AllocationKind>:$kind, StringRefParameter<"", [{""}]>:$name
  );
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Luna_TokenType : TypeDef<Luna_Dialect, "Token"> {
  let mnemonic = "token";
  let summary = "a transfer in flight";
  let description = [{
    Each token is awaited exactly once on every path. It may be a region result,
    an `scf.if` result or a loop-carried value.
  }];
}

class Luna_Static<Type type, string summary>
    : ConfinedType<type, [HasStaticShapePred], summary # " of static shape">;

def Luna_Shaped : Luna_Static<AnyTypeOf<[AnyRankedTensor, AnyMemRef]>,
                              "tensor or memref">;
def Luna_Scratch : Luna_Static<AnyMemRef, "memref">;
def Luna_I8 : Luna_Static<AnyTypeOf<[RankedTensorOf<[I8]>, MemRefOf<[I8]>]>,
                          "int8 tensor or memref">;

class Luna_I8Entries<int count>
    : ConfinedType<Luna_I8, [
        CPred<"::llvm::cast<::mlir::ShapedType>($_self).getRank() == 1">,
        CPred<"::llvm::cast<::mlir::ShapedType>($_self).getNumElements() == "
              # count>], count # "xi8 tensor or memref">;

#endif // LUNA_TYPES_TD
