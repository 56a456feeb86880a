//===-- LunaOps.td - The luna dialect ----------------------*- tablegen -*-===//
//
// Operators of the LUNA unit, transfers between its memories, and the regions
// of a program. An operator is in tensor form (it returns its result) or in
// memref form (it writes its output operand and has no results); upstream
// one-shot bufferisation converts the first into the second.
//
//===----------------------------------------------------------------------===//

#ifndef LUNA_OPS_TD
#define LUNA_OPS_TD

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "src/LunaTypes.td"

//===----------------------------------------------------------------------===//
// Base classes
//===----------------------------------------------------------------------===//

class Luna_Op<string mnemonic, list<Trait> traits = []>
    : Op<Luna_Dialect, mnemonic, traits>;

// An operator of the unit: reads its inputs, writes all of `output`, its last
// operand. luna/units.def has a row for each, with the same operands. `params`
// names the global that luna-pack-weights has packed its constants into.
class Luna_UnitOp<string mnemonic, list<Trait> traits = []>
    : Luna_Op<mnemonic,
              !listconcat(traits, [
                DestinationStyleOpInterface,
                DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])> {
  let results = (outs Variadic<AnyRankedTensor>:$result);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputMutable();
    }
  }];
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return verifyUnit(getOperation());
    }
    void $cppClass::getEffects(Effects &effects) {
      addUnitEffects(getOperation(), effects);
    }
  }];
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

def Luna_Conv2dOp : Luna_UnitOp<"conv2d", [AttrSizedOperandSegments]> {
  let summary = "2-D convolution: normal, depthwise or transposed";
  let description = [{
    `input` is NHWC with N = 1, `output` NHWC. Weights are `[OC, KH, KW, IC]`
    for `normal` and `transposed`, `[KH, KW, C, M]` for `depthwise`, whose output
    channel is `c * M + m`; or, with `weight_layout` and `weight_kernel` (rows,
    columns),
    bytes in the order in which the machine's library reads them, as
    `luna-pack-weights` writes them. `bias` has one 32-bit value per output channel,
    `table` is `2xOCxi32` (multipliers, shifts) where `requant` is per channel,
    `OCxf32` (scales) where its mode is `float`.
    `pad` is top, bottom, left, right (for `transposed`: TOSA's out_pad);
    padding reads as the input zero point. `scratch`, added by
    `luna-tile-operators`, takes 32-bit tiles that the host core requantises.
    `folded_zp` is the input zero point that the bias has taken up
    (`luna-choose-layout`): the operator has none any more, and padding reads
    as 0. Outputs that meet other taps than most then need another bias: it is
    `[CLASSES, OC]`, row 0 is the bias, and the row of the output's class
    (`luna/border.h`) is added to it. `luna-verify-plan` compares by `folded_zp`.

    ```mlir
    %r = luna.conv2d ins(%x, %w : tensor<1x8x8x4xi8>, tensor<8x3x3x4xi8>)
        bias(%b : tensor<8xi32>) table(%t : tensor<2x8xi32>)
        outs(%o : tensor<1x8x8x8xi8>) {
          pad = array<i64: 1, 1, 1, 1>,
          requant = #luna.requant<mode = multiplier, per_channel = true>
        } -> tensor<1x8x8x8xi8>
    ```
  }];
  let arguments = (ins
    Luna_Shaped:$input, Luna_Shaped:$weight, Optional<Luna_Shaped>:$bias,
    Optional<Luna_Shaped>:$table, Optional<Luna_Scratch>:$scratch,
    Luna_Shaped:$output,
    DefaultValuedAttr<I32Attr, "0">:$kind,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$stride,
    DefaultValuedAttr<DenseI64ArrayAttr, "{1, 1}">:$dilation,
    DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$pad,
    OptionalAttr<DenseI64ArrayAttr>:$weight_kernel,
    OptionalAttr<StrAttr>:$weight_layout,
    DefaultValuedAttr<I32Attr, "0">:$input_zp,
    DefaultValuedAttr<I32Attr, "0">:$weight_zp,
    OptionalAttr<I32Attr>:$folded_zp,
    Luna_RequantAttr:$requant,
    OptionalAttr<DenseI32ArrayAttr>:$tiling,
    OptionalAttr<FlatSymbolRefAttr>:$params);
  let assemblyFormat = [{
    `ins` `(` $input `,` $weight `:` type($input) `,` type($weight) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`table` `(` $table^ `:` type($table) `)`)?
    (`scratch` `(` $scratch^ `:` type($scratch) `)`)?
    `outs` `(` $output `:` type($output) `)` attr-dict
    (`->` type($result)^)?
  }];
}

def Luna_MatmulOp : Luna_UnitOp<"matmul", [AttrSizedOperandSegments]> {
  let summary = "matrix product or fully connected layer";
  let description = [{
    `lhs` is `[N, H, C]`; `rhs` is `[N, C, W]`, or `[N, W, C]` with
    `rhs_transposed`; `output` is `[N, H, W]`. A fully connected layer is
    written with N = 1 and its weight as transposed `rhs`. `bias`, `table` and
    `folded_zp` are as in `luna.conv2d`, with W entries.

    ```mlir
    %r = luna.matmul ins(%x, %w : tensor<1x1x64xi8>, tensor<1x10x64xi8>)
        bias(%b : tensor<10xi32>) outs(%o : tensor<1x1x10xi8>) {
          rhs_transposed, requant = #luna.requant<mode = shift, shift = 7>
        } -> tensor<1x1x10xi8>
    ```
  }];
  let arguments = (ins
    Luna_Shaped:$lhs, Luna_Shaped:$rhs, Optional<Luna_Shaped>:$bias,
    Optional<Luna_Shaped>:$table, Optional<Luna_Scratch>:$scratch,
    Luna_Shaped:$output,
    UnitAttr:$rhs_transposed,
    DefaultValuedAttr<I32Attr, "0">:$lhs_zp,
    DefaultValuedAttr<I32Attr, "0">:$rhs_zp,
    OptionalAttr<I32Attr>:$folded_zp,
    Luna_RequantAttr:$requant,
    OptionalAttr<DenseI32ArrayAttr>:$tiling,
    OptionalAttr<FlatSymbolRefAttr>:$params);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`table` `(` $table^ `:` type($table) `)`)?
    (`scratch` `(` $scratch^ `:` type($scratch) `)`)?
    `outs` `(` $output `:` type($output) `)` attr-dict
    (`->` type($result)^)?
  }];
}

class Luna_EltwiseOp<string mnemonic, string text> : Luna_UnitOp<mnemonic> {
  let summary = "elementwise " # text;
  let description = [{
    Subtracts the zero point of each input and, if its multiplier is not 0,
    scales it by TOSA's apply_scale_32 with `lhs_multiplier` and `lhs_shift`
    (`rhs_…` likewise) and `input_rounding` (0 single, 1 double). `requant`
    requantises the 32-bit result. Up to four dimensions; a dimension of 1
    broadcasts. An input of 2 or more channels (the last dimension) may have
    fewer than the output: its zero point pads it there. `scratch`, added by
    `luna-tile-operators`, takes inputs that the unit shifts, piece by piece.
    With `on_core` the core computes it: `luna-pack-weights` adds that
    where the machine's library has no call.
  }];
  let arguments = (ins
    Luna_Shaped:$lhs, Luna_Shaped:$rhs, Optional<Luna_Scratch>:$scratch,
    Luna_Shaped:$output,
    DefaultValuedAttr<I32Attr, "0">:$lhs_zp,
    DefaultValuedAttr<I32Attr, "0">:$lhs_multiplier,
    DefaultValuedAttr<I32Attr, "0">:$lhs_shift,
    DefaultValuedAttr<I32Attr, "0">:$rhs_zp,
    DefaultValuedAttr<I32Attr, "0">:$rhs_multiplier,
    DefaultValuedAttr<I32Attr, "0">:$rhs_shift,
    DefaultValuedAttr<I32Attr, "0">:$input_rounding,
    Luna_RequantAttr:$requant, UnitAttr:$on_core,
    OptionalAttr<FlatSymbolRefAttr>:$params);
  let assemblyFormat = [{
    `ins` `(` $lhs `,` $rhs `:` type($lhs) `,` type($rhs) `)`
    (`scratch` `(` $scratch^ `:` type($scratch) `)`)?
    `outs` `(` $output `:` type($output) `)` attr-dict
    (`->` type($result)^)?
  }];
}

def Luna_AddOp : Luna_EltwiseOp<"add", "sum">;
def Luna_SubOp : Luna_EltwiseOp<"sub", "difference">;
def Luna_MulOp : Luna_EltwiseOp<"mul", "product">;

class Luna_PoolOp<string mnemonic, string text> : Luna_UnitOp<mnemonic> {
  let summary = text # " pooling of an NHWC tensor";
  let arguments = (ins
    Luna_Shaped:$input, Luna_Shaped:$output,
    DenseI64ArrayAttr:$kernel, DenseI64ArrayAttr:$stride,
    DefaultValuedAttr<DenseI64ArrayAttr, "{0, 0, 0, 0}">:$pad,
    DefaultValuedAttr<I32Attr, "0">:$input_zp,
    DefaultValuedAttr<I32Attr, "0">:$output_zp);
  let assemblyFormat = [{
    `ins` `(` $input `:` type($input) `)` `outs` `(` $output `:` type($output)
    `)` attr-dict (`->` type($result)^)?
  }];
}

def Luna_MaxPool2dOp : Luna_PoolOp<"max_pool2d", "max"> {
  let description = [{
    The largest element of each window; padding does not take part. The zero
    points are not used.
  }];
}
def Luna_AvgPool2dOp : Luna_PoolOp<"avg_pool2d", "average"> {
  let description = [{
    The mean over the valid elements of each window, as TOSA's avg_pool2d
    computes it (reciprocal scale, single rounding).
  }];
}

def Luna_TableOp : Luna_UnitOp<"table", [
    AllShapesMatch<["input", "output"]>]> {
  let summary = "activation by table";
  let description = [{
    `output[i] = table[input[i] + 128]`, int8 to int8; the table has 256
    entries. Sigmoid, tanh, leaky ReLU and int8-to-int8 rescales are tables.

    ```mlir
    %r = luna.table ins(%x, %t : tensor<1x16xi8>, tensor<256xi8>)
        outs(%o : tensor<1x16xi8>) -> tensor<1x16xi8>
    ```
  }];
  let arguments = (ins Luna_I8:$input, Luna_I8Entries<256>:$table,
                       Luna_I8:$output,
                       OptionalAttr<FlatSymbolRefAttr>:$params);
  let assemblyFormat = [{
    `ins` `(` $input `,` $table `:` type($input) `,` type($table) `)`
    `outs` `(` $output `:` type($output) `)` attr-dict (`->` type($result)^)?
  }];
}

//===----------------------------------------------------------------------===//
// Quantisation
//===----------------------------------------------------------------------===//

class Luna_QuantOp<string mnemonic> : Luna_Op<mnemonic, [Pure]> {
  let results = (outs AnyRankedTensor:$result);
  let hasVerifier = 1;
}

def Luna_QuantizeOp : Luna_QuantOp<"quantize"> {
  let summary = "floats to integers of 8 or 16 bits";
  let description = [{
    `clamp(round(input / scale) + zero_point)`, every step in f32. The bounds are
    `clamp_min` and `clamp_max`, or those of the result's type, which is read as
    unsigned with `unsigned`. `rounding` says where exact ties go: `half_even` as
    ONNX has it, `half_away` (from zero) as TensorFlow Lite does, `half_up` as
    LUNA's runtime does: `floor(input / scale + 0.5)`. What a NaN becomes is
    undefined.

    `scale` and `zero_point` (0 where left out, of the result's element type)
    have one element, or the input's rank, each dimension 1 or the input's: one
    per channel, say. Both may be computed at run time.

    ```mlir
    %q = luna.quantize %x, %scale, %zero rounding half_away
        : (tensor<1x8xf32>, tensor<f32>, tensor<i8>) -> tensor<1x8xi8>
    ```
  }];
  let arguments = (ins
    RankedTensorOf<[F32]>:$input, RankedTensorOf<[F32]>:$scale,
    Optional<AnyRankedTensor>:$zero_point,
    DefaultValuedAttr<Luna_TieRounding, "::luna::TieRounding::HalfEven">
      :$rounding,
    OptionalAttr<I32Attr>:$clamp_min, OptionalAttr<I32Attr>:$clamp_max,
    UnitAttr:$is_unsigned);
  let assemblyFormat = [{
    $input `,` $scale (`,` $zero_point^)? (`unsigned` $is_unsigned^)?
    (`rounding` $rounding^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Luna_DequantizeOp : Luna_QuantOp<"dequantize"> {
  let summary = "integers of 8, 16 or 32 bits to floats";
  let description = [{
    `(input - zero_point) * scale`: the difference is an exact integer (of 32
    bits: modulo 2^32), which becomes f32 and is multiplied in f32. With
    `unsigned` input and zero point, of 8 or 16 bits, are read as unsigned.
    `scale` and `zero_point` are as in `luna.quantize`.

    ```mlir
    %x = luna.dequantize %q, %scale, %zero unsigned
        : (tensor<4x8xi8>, tensor<4x1xf32>, tensor<i8>) -> tensor<4x8xf32>
    ```
  }];
  let arguments = (ins
    AnyRankedTensor:$input, RankedTensorOf<[F32]>:$scale,
    Optional<AnyRankedTensor>:$zero_point, UnitAttr:$is_unsigned);
  let assemblyFormat = [{
    $input `,` $scale (`,` $zero_point^)? (`unsigned` $is_unsigned^)? attr-dict
    `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

def Luna_DmaStartOp : Luna_Op<"dma_start", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "starts a transfer";
  let description = [{
    Copies all of `source` to `target`, both contiguous and of the same number of
    bytes. Neither may be accessed until the token is awaited.

    ```mlir
    %t = luna.dma_start %w to %buffer : memref<64xi8, #luna.memory<psram>> to
        memref<64xi8, #luna.memory<shared>>
    luna.dma_wait %t
    ```
  }];
  let arguments = (ins AnyMemRef:$source, AnyMemRef:$target,
                       DefaultValuedAttr<I32Attr, "0">:$channel);
  let results = (outs Luna_TokenType:$token);
  let assemblyFormat = [{
    $source `to` $target attr-dict `:` type($source) `to` type($target)
  }];
  let hasVerifier = 1;
}

def Luna_DmaWaitOp : Luna_Op<"dma_wait", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "awaits a transfer";
  let arguments = (ins Luna_TokenType:$token);
  let assemblyFormat = "$token attr-dict";
}

def Luna_DmaNoneOp : Luna_Op<"dma_none", [Pure]> {
  let summary = "the token of no transfer";
  let description = [{
    For an `else` that starts no transfer, or a loop of zero trips; awaiting it
    returns at once.
  }];
  let results = (outs Luna_TokenType:$token);
  let assemblyFormat = "attr-dict";
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

def Luna_RegionOp : Luna_Op<"region", [
    SingleBlock, RecursiveMemoryEffects, NoRegionArguments]> {
  let summary = "a straight-line run between control flow";
  let description = [{
    Formed by `luna-form-regions`; prefetching restarts in each. Its results are
    the values used after it. Not isolated from above.

    ```mlir
    %a = luna.region 0 -> memref<16xi8> {
      %m = memref.alloc() : memref<16xi8>
      luna.yield %m : memref<16xi8>
    }
    ```
  }];
  let arguments = (ins I32Attr:$id);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$id (`->` type($results)^)? $body attr-dict";
  let hasVerifier = 1;
}

def Luna_YieldOp : Luna_Op<"yield", [Pure, Terminator, HasParent<"RegionOp">,
                                     ReturnLike]> {
  let summary = "ends a luna.region with its results";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def Luna_LabelOp : Luna_Op<"label", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "the name of the branch or loop around it";
  let description = [{
    The first label in the regions of an `scf.if`, `scf.index_switch`, `scf.for`
    or `scf.while` names it: paths are told by these names, `voice=then`. An
    attribute would not do, since passes that rebuild such an operation drop
    what they do not know. `luna-form-regions` names what has no name yet. A label
    may name the way, too, that its region is, in place of `then`, `case0` or
    `default`: `shape=96x128`.

    ```mlir
    scf.if %c {
      luna.label "voice"
      memref.copy %x, %y : memref<4xi8> to memref<4xi8>
    }
    ```
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<StrAttr>:$way);
  let assemblyFormat = "$name (`=` $way^)? attr-dict";
  let hasVerifier = 1;
}

def Luna_BufferOp : Luna_Op<"buffer", [Pure]> {
  let summary = "a buffer of the arena";
  let description = [{
    What `luna-lower-plan` makes of a planned allocation: the buffer `id` of the
    function's `luna.buffers`, at `offset` bytes from the base of the arena.
    Buffers of one place are not one value, so no pass takes one for another.

    ```mlir
    %a = luna.buffer 3 of %arena at 64 : memref<96xi8> to memref<4x8xi8>
    ```
  }];
  let arguments = (ins I64Attr:$id, AnyMemRef:$arena, I64Attr:$offset);
  let results = (outs Luna_Scratch:$buffer);
  let assemblyFormat = [{
    $id `of` $arena `at` $offset attr-dict `:` type($arena) `to` type($buffer)
  }];
  let hasVerifier = 1;
}

def Luna_ProgramOp : Luna_Op<"program", [
    IsolatedFromAbove, NoTerminator, SingleBlock, Symbol, SymbolTable,
    HasParent<"::mlir::ModuleOp">]> {
  let summary = "a function as it was before it was planned";
  let description = [{
    `luna-record-program` leaves a copy of each function and of the constants
    that it reads; `luna-verify-plan` compares the planned function with it. No
    pass of ours enters it, `luna-to-llvm` drops it.

    ```mlir
    luna.program @main.program {
      func.func @main(%x: memref<4xi8>, %y: memref<4xi8>) {
        memref.copy %x, %y : memref<4xi8> to memref<4xi8>
        return
      }
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name $body attr-dict";
}

#endif // LUNA_OPS_TD
