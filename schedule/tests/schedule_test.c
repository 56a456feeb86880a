// Schedules as text, and those that are found for a small model.

#include "luna/schedule.h"

#include "check.h"

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static const char every_kind[] =
    "decide kind=allocate step=4294967294 value=9 before=3 type=2\n"
    "decide kind=copy step=21 value=9 by=10 body=1\n"
    "decide kind=view step=22 value=11 by=9 before=4 type=0\n"
    "decide kind=erase step=5\n"
    "decide kind=move step=6 before=2\n"
    "decide kind=tensor step=6\n"
    "decide kind=replace value=3 by=9\n"
    "decide kind=operand step=7 by=9 number=0\n"
    "decide kind=operand by=9 body=8 number=1\n"
    "decide kind=carry step=9 value=13 by=9\n"
    "decide kind=pass by=13 body=10\n";

static void test_text(void) {
  LunaArena arena = {0};
  LunaSchedule schedule;
  LunaError error = {0};
  LunaText text = {0};
  CHECK(luna_schedule_parse(every_kind, strlen(every_kind), "x", &arena,
                            &schedule, &error));
  CHECK_EQ(schedule.decisions.count, 11);
  luna_schedule_print(&schedule, &text);
  CHECK_STR(text.data, every_kind);
  luna_text_deinit(&text);
  luna_arena_destroy(&arena);
}

static void check_refused(const char *text, const char *message) {
  LunaArena arena = {0};
  LunaSchedule schedule;
  LunaError error = {0};
  CHECK(
      !luna_schedule_parse(text, strlen(text), "x", &arena, &schedule, &error));
  CHECK_EQ(error.code, LUNA_ERROR_INPUT);
  CHECK_STR(error.message, message);
  luna_arena_destroy(&arena);
}

static void test_refused_text(void) {
  check_refused("decide kind=erase step=1",
                "x:1:25: expected a space or a new line");
  check_refused("decide kind=erase step=1\ndecide kind=erase step=\n",
                "x:2:24: expected a number");
  check_refused("decide kind=erase step=4294967295\n",
                "x:1:34: found a number that is not an index");
  check_refused("decide kind=erase steps=1\n",
                "x:1:19: found a field that this record does not have");
  check_refused("decide kind=forget step=1\n",
                "x:1:13: found a word that this field does not have");
  check_refused("forget step=1\n", "x:1:1: expected decide");
}

//===----------------------------------------------------------------------===//
// Joins
//===----------------------------------------------------------------------===//

// A value that a branch recomputes, or passes through. The operator that does
// it may work in place, or not.
static const char program[] =
    "step kind=body end=11\n"
    "step kind=allocate end=2 op=\"memref.alloc\" accesses=0+1\n"
    "step kind=operator end=3 op=\"make\" accesses=1+1\n"
    "step kind=branches end=10 op=\"scf.if\"\n"
    "step kind=body end=8 name=\"then\"\n"
    "step kind=allocate end=6 op=\"memref.alloc\" accesses=2+1\n"
    "step kind=unit end=7 op=\"add\" accesses=3+2 unit_cycles=9\n"
    "step kind=pass end=8 op=\"scf.if\" edges=0+1\n"
    "step kind=body end=10 name=\"else\"\n"
    "step kind=pass end=10 op=\"scf.if\" edges=1+1\n"
    "step kind=operator end=11 op=\"show\" accesses=5+1\n"
    "access kind=modify slice=0\n"
    "access kind=overwrite slice=0 is_destination\n"
    "access kind=modify slice=1\n"
    "access kind=read slice=0%s\n"
    "access kind=overwrite slice=1 is_destination\n"
    "access kind=read slice=2\n"
    "edge from=1 to=2\n"
    "edge from=0 to=2\n"
    "value kind=buffer role=tensor is_on_chip bytes=64 step=1 sources=0+1\n"
    "value kind=buffer role=tensor is_on_chip bytes=64 step=5 sources=1+1\n"
    "value kind=merged role=tensor is_on_chip bytes=64 step=3 sources=0+2\n"
    "source value=0\n"
    "source value=1\n"
    "slice value=0 bytes=64 is_contiguous is_on_chip\n"
    "slice value=1 bytes=64 is_contiguous is_on_chip\n"
    "slice value=2 bytes=64 is_contiguous is_on_chip\n";

static uint64_t copy_cycles(uint32_t from_type, uint32_t to_type, void *data) {
  (void)from_type;
  (void)to_type;
  (void)data;
  return 8;
}

static void check_joins(const char *in_place, const char *expected) {
  LunaArena arena = {0};
  LunaText text = {0}, found = {0};
  LunaModel model;
  LunaSchedule schedule;
  LunaJoinEffort effort = {0};
  LunaError error = {0};
  LunaScheduleTarget target = {.capacity_bytes = 1024,
                               .align_bytes = 16,
                               .op_count = 11,
                               .copy_cycles = copy_cycles};
  luna_text_printf(&text, program, in_place);
  CHECK(luna_model_parse(text.data, text.length, "m", &arena, &model, &error));
  CHECK(
      luna_schedule_joins(&model, &target, &arena, &schedule, &effort, &error));
  luna_schedule_print(&schedule, &found);
  luna_text_append(&found, "", 1);
  CHECK_STR(found.data, expected);
  CHECK(effort.plans > 0);
  luna_text_deinit(&text);
  luna_text_deinit(&found);
  luna_arena_destroy(&arena);
}

static void test_joins(void) {
  check_joins("", "");
  // The result lands in a buffer of its own first, which is then its source.
  check_joins(" may_be_replaced",
              "decide kind=allocate step=14 value=3 before=3 type=0\n"
              "decide kind=copy step=15 value=1 by=3 body=4\n"
              "decide kind=operand by=3 body=4 number=0\n"
              "decide kind=copy step=16 value=0 by=3 body=8\n"
              "decide kind=operand by=3 body=8 number=0\n"
              "decide kind=replace value=2 by=3\n"
              "decide kind=erase step=15\n"
              "decide kind=erase step=16\n"
              "decide kind=replace value=3 by=0\n"
              "decide kind=erase step=14\n"
              "decide kind=replace value=1 by=0\n"
              "decide kind=erase step=5\n");
}

int main(void) {
  RUN_TEST(test_text);
  RUN_TEST(test_refused_text);
  RUN_TEST(test_joins);
  return 0;
}
