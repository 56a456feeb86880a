// The reference on small modules: values, states, forced decisions.

#include <string.h>

#include "check.h"
#include "luna/context.h"
#include "luna/reference.h"

static MlirContext context;

static LunaReference open_text(const char *text) {
  LunaReference reference;
  LunaError error = {0};
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  CHECK(!mlirModuleIsNull(module));
  if (!luna_reference_create(module, 0, &reference, &error))
    fprintf(stderr, "%s\n", error.message);
  CHECK(reference.jit);
  mlirModuleDestroy(module);
  return reference;
}

static void check_refused(const char *text, const char *message) {
  LunaReference reference;
  LunaError error = {0};
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  CHECK(!mlirModuleIsNull(module));
  CHECK(!luna_reference_create(module, 0, &reference, &error));
  CHECK_STR(error.message, message);
  luna_reference_destroy(&reference);
  mlirModuleDestroy(module);
}

static const char branch[] =
    "func.func @main(%x: tensor<4xi8>, %c: tensor<i1>) -> tensor<4xi8> {"
    "  %cond = tensor.extract %c[] : tensor<i1>"
    "  %y = scf.if %cond -> tensor<4xi8> {"
    "    scf.yield %x : tensor<4xi8>"
    "  } else {"
    "    %z = tosa.add %x, %x"
    "      : (tensor<4xi8>, tensor<4xi8>) -> tensor<4xi8>"
    "    scf.yield %z : tensor<4xi8>"
    "  }"
    "  return %y : tensor<4xi8>"
    "}";

static void decisions_can_be_forced(void) {
  LunaReference reference = open_text(branch);
  CHECK_EQ(reference.argument_count, 2);
  CHECK_EQ(reference.result_count, 1);
  CHECK_EQ(reference.branches.count, 1);
  CHECK_EQ(reference.branches.items[0], LUNA_BRANCH_IF);
  memcpy(luna_reference_input(&reference, 0)->data, "\1\2\3\4", 4);
  const uint8_t *found = luna_reference_output(&reference, 0)->data;
  for (uint8_t taken = 0; taken < 2; ++taken) {
    LunaDecision decision = {.is_forced = true, .value = !taken};
    luna_reference_input(&reference, 1)->data[0] = taken;
    CHECK(luna_reference_run(&reference, NULL, 0));
    CHECK_EQ(found[3], taken ? 4 : 8);
    CHECK(luna_reference_run(&reference, &decision, 1));
    CHECK_EQ(found[3], taken ? 8 : 4);
  }
  luna_reference_destroy(&reference);
}

static void branches_are_compared_by_kind(void) {
  LunaReference reference = open_text(branch);
  LunaProgramBranch branches[] = {{.name = "if0", .kind = LUNA_BRANCH_IF},
                                  {.name = "if1", .kind = LUNA_BRANCH_IF}};
  LunaProgramInfo program = {.branches = branches, .branch_count = 1};
  CHECK(luna_reference_has_branches_of(&reference, &program));
  branches[0].kind = LUNA_BRANCH_SWITCH;
  CHECK(!luna_reference_has_branches_of(&reference, &program));
  branches[0].kind = LUNA_BRANCH_IF;
  program.branch_count = 2;
  CHECK(!luna_reference_has_branches_of(&reference, &program));
  luna_reference_destroy(&reference);
}

static const char counter[] =
    "func.func @main("
    "    %sum: tensor<2xi8> {luna.state = \"sum\","
    "                        luna.initial = dense<[5, -5]> : tensor<2xi8>},"
    "    %x: tensor<2xi8>,"
    "    %odd: tensor<2xi1> {luna.state = \"odd\","
    "                        luna.initial = dense<[true, false]> : "
    "tensor<2xi1>},"
    "    %rest: tensor<2xi8> {luna.state = \"rest\"})"
    "    -> (tensor<2xi1>, tensor<2xi8> {luna.state = \"sum\"},"
    "        tensor<2xi1> {luna.state = \"odd\"}) {"
    "  %y = tosa.add %sum, %x"
    "    : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>"
    "  %z = tosa.logical_not %odd : (tensor<2xi1>) -> tensor<2xi1>"
    "  return %odd, %y, %z : tensor<2xi1>, tensor<2xi8>, tensor<2xi1>"
    "}";

static void check_states(LunaReference *reference) {
  CHECK_EQ(reference->argument_count, 4);
  CHECK_STR(reference->values[0].state, "sum");
  const uint8_t *sum = reference->values[0].data;
  const uint8_t *odd = luna_reference_output(reference, 0)->data;
  memcpy(luna_reference_input(reference, 0)->data, "\1\2", 2);
  for (int round = 0; round < 2; ++round) {
    CHECK(sum[0] == 5 && (int8_t)sum[1] == -5);
    for (int call = 1; call <= 3; ++call) {
      CHECK(luna_reference_run(reference, NULL, 0));
      CHECK(sum[0] == 5 + call && (int8_t)sum[1] == -5 + 2 * call);
      CHECK(odd[0] == call % 2 && odd[1] == (call + 1) % 2);
    }
    luna_reference_reset(reference);
  }
}

static void states_pass_from_call_to_call(void) {
  LunaReference reference = open_text(counter);
  check_states(&reference);
  luna_reference_destroy(&reference);
}

static void a_saved_reference_computes_the_same(void) {
  LunaReference reference = open_text(counter), restored;
  LunaError error = {0};
  LunaText record = {0};
  luna_reference_save(&reference, &record);
  luna_reference_destroy(&reference);
  CHECK(luna_reference_restore(record.data, record.length, &restored, &error));
  check_states(&restored);
  luna_reference_destroy(&restored);
  luna_text_deinit(&record);
}

static void a_cut_record_is_no_reference(void) {
  LunaReference reference = open_text(branch), restored;
  LunaText record = {0};
  luna_reference_save(&reference, &record);
  for (size_t length = 0; length < record.length;
       length += length < 1000 ? 1 : 97) {
    LunaError error = {0};
    CHECK(!luna_reference_restore(record.data, length, &restored, &error));
    CHECK_STR(error.message, "the record is none of a reference");
    luna_reference_destroy(&restored);
  }
  LunaError error = {0};
  CHECK(luna_reference_restore(record.data, record.length, &restored, &error));
  CHECK_EQ(restored.branches.count, 1);
  CHECK_EQ(restored.branches.items[0], LUNA_BRANCH_IF);
  luna_reference_destroy(&restored);
  luna_reference_destroy(&reference);
  luna_text_deinit(&record);
}

static void allocations_in_loops_are_freed(void) {
  LunaReference reference =
      open_text("func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {"
                "  %c0 = arith.constant 0 : index"
                "  %c1 = arith.constant 1 : index"
                "  %c9 = arith.constant 9 : index"
                "  %y = scf.for %i = %c0 to %c9 step %c1 iter_args(%v = %x)"
                "      -> (tensor<8xf32>) {"
                "    %r = tosa.reverse %v {axis = 0 : i32}"
                "      : (tensor<8xf32>) -> tensor<8xf32>"
                "    scf.yield %r : tensor<8xf32>"
                "  }"
                "  return %y : tensor<8xf32>"
                "}");
  CHECK(reference.values[0].is_float);
  const float first = 3;
  float last = 0;
  memcpy(reference.values[0].data, &first, sizeof first);
  for (int i = 0; i < 3; ++i)
    CHECK(luna_reference_run(&reference, NULL, 0));
  memcpy(&last, reference.values[1].data + 7 * sizeof last, sizeof last);
  CHECK(last == 3);
  luna_reference_destroy(&reference);
}

static void invalid_modules_are_refused(void) {
  check_refused("func.func @main(%x: tensor<?xi8>) -> tensor<?xi8> {"
                "  return %x : tensor<?xi8>"
                "}",
                "the model is not a function on tensors of static shape");
  check_refused("func.func private @main(tensor<4xi8>)",
                "the model is not a function on tensors of static shape");
}

int main(void) {
  LunaArena arena = {0};
  LunaError error = {0};
  CHECK(luna_context_create(NULL, &arena, &context, &error));
  RUN_TEST(decisions_can_be_forced);
  RUN_TEST(branches_are_compared_by_kind);
  RUN_TEST(states_pass_from_call_to_call);
  RUN_TEST(a_saved_reference_computes_the_same);
  RUN_TEST(a_cut_record_is_no_reference);
  RUN_TEST(allocations_in_loops_are_freed);
  RUN_TEST(invalid_modules_are_refused);
  mlirContextDestroy(context);
  luna_arena_destroy(&arena);
  return 0;
}
