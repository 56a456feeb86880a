// The versions of a model compiled for several sizes, and `<symbol>_bind`,
// which finds the one that the shapes of its inputs ask for.

#include <inttypes.h>

#include "lowering.h"
#include "luna-c/ops.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "structure.h"

//===----------------------------------------------------------------------===//
// The dimensions of a version
//===----------------------------------------------------------------------===//

static bool fail(const LunaLowering *run, const char *what, intptr_t number) {
  luna_emit_error(run->func, "argument %d %s", (int)number, what);
  return false;
}

// Returns the shapes of an argument, by version; null of one that has none.
static MlirAttribute shapes_of(const LunaLowering *run, intptr_t number) {
  MlirAttribute shapes = luna_argument_attr(run, number, "luna.shapes");
  bool is_list = !mlirAttributeIsNull(shapes) && mlirAttributeIsAArray(shapes);
  return is_list ? shapes : mlirAttributeGetNull();
}

// Calls `visit` for each input but the first, then each output.
static bool each_tensor(LunaLowering *run,
                        bool (*visit)(LunaLowering *run, intptr_t number)) {
  static const LunaArgumentRole roles[] = {LUNA_ARGUMENT_INPUT,
                                           LUNA_ARGUMENT_OUTPUT};
  for (size_t r = 0; r < 2; ++r)
    for (intptr_t i = 1; i < run->argument_count; ++i)
      if (run->arguments[i].role == roles[r] && !visit(run, i))
        return false;
  return true;
}

static bool note_rank(LunaLowering *run, intptr_t number) {
  MlirAttribute shapes = shapes_of(run, number);
  if (mlirAttributeIsNull(shapes) ||
      (uint64_t)mlirArrayAttrGetNumElements(shapes) != run->versions.count)
    return fail(run, "needs luna.shapes for each of luna.cases", number);
  intptr_t rank =
      mlirDenseArrayGetNumElements(mlirArrayAttrGetElement(shapes, 0));
  if (rank > LUNA_PROGRAM_RANK_MAX)
    return fail(run, "has versions of more than 8 dimensions", number);
  *LUNA_VECTOR_ADD(&run->arena, &run->version_ranks) = (int32_t)rank;
  return true;
}

static bool note_sizes(LunaLowering *run, intptr_t number) {
  MlirAttribute shapes = shapes_of(run, number);
  intptr_t rank =
      mlirDenseArrayGetNumElements(mlirArrayAttrGetElement(shapes, 0));
  for (uint64_t v = 0; v < run->versions.count; ++v) {
    MlirAttribute shape = mlirArrayAttrGetElement(shapes, (intptr_t)v);
    if (mlirDenseArrayGetNumElements(shape) != rank)
      return fail(run, "has versions of different ranks", number);
    int32_t *dims = (int32_t *)run->versions.items[v].dims;
    for (intptr_t d = 0; d < rank; ++d) {
      int64_t size = mlirDenseI64ArrayGetElement(shape, d);
      if (size > INT32_MAX)
        return fail(run, "has a version of more than 2^31 - 1 rows", number);
      dims[run->version_dims + d] = (int32_t)size;
    }
  }
  run->version_dims += rank;
  return true;
}

//===----------------------------------------------------------------------===//
// The arena of a case
//===----------------------------------------------------------------------===//

static bool note_end(MlirOperation op, void *data) {
  int64_t *most = data;
  if (!luna_op_is(op, LUNA_OP_LUNA_BUFFER))
    return true;
  MlirValue buffer = mlirOperationGetResult(op, 0);
  int64_t end = luna_attr_int(op, "offset", 0) +
                luna_shaped_bytes(mlirValueGetType(buffer));
  *most = end > *most ? end : *most;
  return true;
}

// Region 0 is the default, the last case.
static bool note_arena(LunaLowering *run) {
  MlirOperation branch = luna_version_switch(run->func);
  if (mlirOperationIsNull(branch))
    return fail(run, "has luna.cases, but there is no switch 'shape'", 0);
  intptr_t count = mlirOperationGetNumRegions(branch);
  for (uint64_t v = 0; v < run->versions.count; ++v) {
    LunaProgramVersion *version = &run->versions.items[v];
    if (version->case_index >= count)
      return fail(run, "names a case that the switch 'shape' does not have", 0);
    MlirBlock body = luna_body(branch, (version->case_index + 1) % count);
    for (MlirOperation op = mlirBlockGetFirstOperation(body);
         !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
      note_end(op, &version->arena_bytes);
      luna_walk(op, note_end, &version->arena_bytes);
    }
  }
  return true;
}

bool luna_collect_versions(LunaLowering *run) {
  if (run->argument_count == 0)
    return true;
  MlirAttribute cases = luna_argument_attr(run, 0, "luna.cases");
  if (mlirAttributeIsNull(cases))
    return true;
  for (intptr_t v = 0; v < mlirDenseArrayGetNumElements(cases); ++v)
    *LUNA_VECTOR_ADD(&run->arena, &run->versions) = (LunaProgramVersion){
        .case_index = mlirDenseI32ArrayGetElement(cases, v)};
  if (!each_tensor(run, note_rank))
    return false;
  uint64_t dims = 0;
  for (uint64_t i = 0; i < run->version_ranks.count; ++i)
    dims += (uint64_t)run->version_ranks.items[i];
  for (uint64_t v = 0; v < run->versions.count; ++v)
    run->versions.items[v].dims = LUNA_ARENA_ARRAY(&run->arena, int32_t, dims);
  return each_tensor(run, note_sizes) && note_arena(run);
}

//===----------------------------------------------------------------------===//
// The function that chooses one
//===----------------------------------------------------------------------===//

// The versions are rows of the descriptor: case, two words, dimensions.
static const char bind_text[] =
    "llvm.mlir.global external constant @%s_program() : !llvm.array<0 x i32>\n"
    "func.func @%s_bind(%%dims: !llvm.ptr, %%output_dims: !llvm.ptr) -> i32 {\n"
    "  %%c0 = arith.constant 0 : i64\n"
    "  %%c1 = arith.constant 1 : i64\n"
    "  %%zero = arith.constant 0 : i32\n"
    "  %%none = arith.constant -1 : i32\n"
    "  %%versions = arith.constant %" PRIu64 " : i64\n"
    "  %%inputs = arith.constant %" PRIu64 " : i64\n"
    "  %%outputs = arith.constant %" PRIu64 " : i64\n"
    "  %%words = arith.constant %" PRIu64 " : i64\n"
    "  %%all = arith.trunci %%inputs : i64 to i32\n"
    "  %%table = llvm.mlir.addressof @%s_program : !llvm.ptr\n"
    "  %%first = llvm.getelementptr %%table[%" PRIu64 "] : (!llvm.ptr) -> "
    "!llvm.ptr, i32\n"
    "  %%row, %%case = scf.for %%v = %%c0 to %%versions step %%c1\n"
    "      iter_args(%%row0 = %%first, %%case0 = %%none) -> (!llvm.ptr, i32) : "
    "i64 {\n"
    "    %%start = arith.muli %%v, %%words : i64\n"
    "    %%at = llvm.getelementptr %%first[%%start] : (!llvm.ptr, i64) -> "
    "!llvm.ptr, i32\n"
    "    %%sizes = llvm.getelementptr %%at[3] : (!llvm.ptr) -> !llvm.ptr, i32\n"
    "    %%same = scf.for %%d = %%c0 to %%inputs step %%c1\n"
    "        iter_args(%%same0 = %%zero) -> (i32) : i64 {\n"
    "      %%p = llvm.getelementptr %%dims[%%d] : (!llvm.ptr, i64) -> "
    "!llvm.ptr, i32\n"
    "      %%q = llvm.getelementptr %%sizes[%%d] : (!llvm.ptr, i64) -> "
    "!llvm.ptr, i32\n"
    "      %%given = llvm.load %%p : !llvm.ptr -> i32\n"
    "      %%wanted = llvm.load %%q : !llvm.ptr -> i32\n"
    "      %%number = arith.trunci %%d : i64 to i32\n"
    "      %%equal = arith.cmpi eq, %%given, %%wanted : i32\n"
    "      %%so_far = arith.cmpi eq, %%same0, %%number : i32\n"
    "      %%both = arith.andi %%equal, %%so_far : i1\n"
    "      %%more = arith.extui %%both : i1 to i32\n"
    "      %%same1 = arith.addi %%same0, %%more : i32\n"
    "      scf.yield %%same1 : i32\n"
    "    }\n"
    "    %%index = llvm.load %%at : !llvm.ptr -> i32\n"
    "    %%is_it = arith.cmpi eq, %%same, %%all : i32\n"
    "    %%is_found = arith.cmpi sge, %%case0, %%zero : i32\n"
    "    %%reason = arith.subi %%none, %%same : i32\n"
    "    %%least = arith.minsi %%case0, %%reason : i32\n"
    "    %%otherwise = arith.select %%is_found, %%case0, %%least : i32\n"
    "    %%case1 = arith.select %%is_it, %%index, %%otherwise : i32\n"
    "    %%row1 = arith.select %%is_it, %%at, %%row0 : !llvm.ptr\n"
    "    scf.yield %%row1, %%case1 : !llvm.ptr, i32\n"
    "  }\n"
    "  %%is_bound = arith.cmpi sge, %%case, %%zero : i32\n"
    "  %%shapes = llvm.getelementptr %%row[%" PRIu64 "] : (!llvm.ptr) -> "
    "!llvm.ptr, i32\n"
    "  scf.for %%d = %%c0 to %%outputs step %%c1 : i64 {\n"
    "    %%p = llvm.getelementptr %%shapes[%%d] : (!llvm.ptr, i64) -> "
    "!llvm.ptr, i32\n"
    "    %%q = llvm.getelementptr %%output_dims[%%d] : (!llvm.ptr, i64) -> "
    "!llvm.ptr, i32\n"
    "    %%size = llvm.load %%p : !llvm.ptr -> i32\n"
    "    %%written = arith.select %%is_bound, %%size, %%zero : i32\n"
    "    llvm.store %%written, %%q : i32, !llvm.ptr\n"
    "  }\n"
    "  return %%case : i32\n"
    "}\n";

static uint64_t input_dims(const LunaLowering *run) {
  uint64_t dims = 0;
  for (intptr_t i = 0; i + 1 < run->input_count; ++i)
    dims += (uint64_t)run->version_ranks.items[i];
  return dims;
}

void luna_emit_bind(LunaLowering *run, uint64_t first_word) {
  if (run->versions.count == 0)
    return;
  uint64_t inputs = input_dims(run), all = (uint64_t)run->version_dims;
  const char *text = luna_arena_printf(
      &run->arena, bind_text, run->symbol, run->symbol, run->versions.count,
      inputs, all - inputs, LUNA_PROGRAM_VERSION_WORDS + all, run->symbol,
      first_word, LUNA_PROGRAM_VERSION_WORDS + inputs);
  MlirModule module = mlirModuleCreateParse(run->context, luna_str(text));
  MlirOperation bind = mlirOperationGetNextInBlock(
      mlirBlockGetFirstOperation(mlirModuleGetBody(module)));
  mlirOperationRemoveFromParent(bind);
  luna_insert_before(run->func, bind);
  mlirModuleDestroy(module);
}
