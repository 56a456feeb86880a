// Models as text: what is printed is read, and what is none is refused.

#include "check.h"
#include "luna/model.h"

static bool parse(const char *text, LunaArena *arena, LunaModel *model,
                  LunaError *error) {
  return luna_model_parse(text, strlen(text), "m", arena, model, error);
}

// Everything that a record can have.
static const char every_field[] =
    "step kind=body end=15\n"
    "step kind=allocate end=2 op=\"memref.alloc\" number=1 accesses=0+1\n"
    "step kind=branches end=8 op=\"scf.if\" name=\"if0\" number=2 condition=3 "
    "is_negated condition_loop=8\n"
    "step kind=body end=6 name=\"then\"\n"
    "step kind=unit end=5 op=\"luna.add\" name=\"a\\22b\\5c\\0a\" "
    "accesses=1+3 scratch_bytes=64 core_cycles=3 unit_cycles=5\n"
    "step kind=pass end=6 op=\"scf.if\" edges=0+1\n"
    "step kind=body end=8 name=\"else\"\n"
    "step kind=copy end=8 op=\"memref.copy\" accesses=4+2\n"
    "step kind=loop end=13 op=\"scf.for\" edges=1+1 carried=1+1 "
    "trips=3\n"
    "step kind=body end=13\n"
    "step kind=transfer end=11 op=\"luna.dma_start\" accesses=4+2 "
    "dma_cycles=9\n"
    "step kind=await end=12 op=\"luna.dma_wait\" accesses=6+1\n"
    "step kind=operator end=13 op=\"linalg.fill\" accesses=2+1\n"
    "step kind=pass end=14 op=\"scf.for\" edges=0+2\n"
    "step kind=scalar end=15 op=\"arith.addi\" needs=0+2 is_opaque\n"
    "access kind=modify slice=0\n"
    "access kind=read slice=1 may_be_replaced\n"
    "access kind=update slice=1\n"
    "access kind=overwrite slice=0 is_destination\n"
    "access kind=read slice=3\n"
    "access kind=overwrite slice=1\n"
    "access kind=read slice=2\n"
    "edge from=1 to=1\n"
    "edge from=0 to=1\n"
    "need step=2\n"
    "need step=12\n"
    "value kind=buffer role=staging is_on_chip bytes=64 element=2 step=1 "
    "first_use=4 sources=0+1\n"
    "value kind=merged role=tensor is_on_chip bytes=64 step=8 sources=0+1 "
    "has_other\n"
    "value kind=token role=tensor step=10 sources=0+1\n"
    "value kind=constant role=tensor bytes=64 step=0\n"
    "value kind=other role=tensor bytes=-1 step=0\n"
    "value kind=no_token role=tensor step=0\n"
    "value kind=argument role=tensor step=0\n"
    "source value=0\n"
    "slice value=0 bytes=64 is_contiguous is_exact element_bytes=1 dims=0+1\n"
    "slice value=1 bytes=16 is_exact offset_bytes=16 element_bytes=2 "
    "dims=1+2\n"
    "slice value=2\n"
    "slice value=3 bytes=16\n"
    "dim extent=64 stride_bytes=1\n"
    "dim extent=2 stride_bytes=32\n"
    "dim extent=4 stride_bytes=4\n";

static void test_every_field(void) {
  LunaArena arena = {0};
  LunaModel model;
  LunaError error = {0};
  LunaText text = {0};
  if (!parse(every_field, &arena, &model, &error))
    fprintf(stderr, "%s\n", error.message);
  CHECK(error.code == LUNA_ERROR_NONE);
  luna_model_print(&model, &text);
  luna_text_append(&text, "", 1);
  CHECK_STR(text.data, every_field);
  CHECK_EQ(model.buffer_count, 1);
  CHECK_EQ(model.steps.items[5].parent, 3);
  CHECK_EQ(model.steps.items[13].parent, 0);
  CHECK_STR(model.steps.items[4].name, "a\"b\\\n");
  CHECK(luna_model_is_within(&model, 5, 2));
  CHECK(!luna_model_is_within(&model, 8, 2));
  CHECK_EQ(luna_model_only_source(&model, 0), 0);
  CHECK_EQ(luna_model_only_source(&model, 1), LUNA_MODEL_NONE);
  luna_text_deinit(&text);
  luna_arena_destroy(&arena);
}

typedef struct Refused {
  const char *text, *message;
} Refused;

static const Refused refused[] = {
    {"", "m:1:1: expected a step"},
    {"stop\n", "m:1:1: expected step, access, edge, need, value, source, "
               "slice or dim"},
    {"step kind=body end=1", "m:1:21: expected a space or a new line"},
    {"step size=1\n", "m:1:6: found a field that this record does not have"},
    {"step kind\n", "m:1:10: expected '='"},
    {"step kind=leap\n", "m:1:11: found a word that this field does not have"},
    {"step kind=body end=x\n", "m:1:20: expected a number"},
    {"step kind=body end=4294967295\n",
     "m:1:30: found a number that is not an index"},
    {"value bytes=9223372036854775808\n",
     "m:1:31: found a number of 2^63 or more"},
    {"step kind=body end=1 accesses=0\n", "m:1:32: expected '+'"},
    {"step op=x\n", "m:1:9: expected a string"},
    {"step op=\"x\n", "m:1:10: found a string without an end"},
    {"step op=\"x\ny\"\n", "m:1:11: found a string without an end"},
    {"step op=\"\\00\"\n",
     "m:1:11: expected two digits of a byte that is not zero"},
    {"step kind=body end=1\naccess kind=read slice=0\n",
     "m:2:1: names a record that is not there"},
    {"step kind=body end=1 edges=1+4294967294\n",
     "m:1:1: names a record that is not there"},
    {"value kind=buffer\n", "m:1:1: names a record that is not there"},
    {"step kind=body end=2\n", "m:1:1: does not end within the step around it"},
    {"step kind=body end=3\nstep kind=region end=2\nstep kind=body end=3\n",
     "m:2:1: has no body"},
    {"step kind=body end=2\nstep kind=body end=2\n",
     "m:2:1: stands where this kind of step may not"},
    {"step kind=operator end=1\n",
     "m:1:1: stands where this kind of step may not"},
    {"step kind=body end=3\nstep kind=operator end=3\n"
     "step kind=body end=3\n",
     "m:2:1: holds steps, and is no control flow"},
    {"step kind=body end=2\nstep kind=copy end=2\n",
     "m:2:1: copies between slices that differ in size"},
    {"step kind=body end=2\nstep kind=await end=2\n", "m:2:1: has no op"},
    {"step kind=body end=2\nstep kind=allocate end=2\n",
     "m:2:1: accesses more or less than what it allocates"},
    {"step kind=body end=1 accesses=0+1\naccess kind=read slice=0\n"
     "slice value=0\nvalue step=0\n",
     "m:1:1: accesses something, and is a body"},
    {"step kind=body end=1 condition=1\n",
     "m:1:1: has a condition with too large a number"},
    {"step kind=body end=1 scratch_bytes=-1\n",
     "m:1:1: needs less than no memory"},
    {"step kind=body end=2\nstep kind=scalar op=\"a\" needs=0+1 end=2\n"
     "need step=1\n",
     "m:2:1: needs a later step"},
    {"step kind=body end=1 unit_cycles=-1\n", "m:1:1: takes less than no time"},
    {"step kind=body end=1 trips=-2\n", "m:1:1: takes less than no time"},
    {"step kind=body end=3\nstep kind=select op=\"s\" end=3 is_negated\n"
     "step kind=body end=3\n",
     "m:2:1: has other bodies than its condition has ways"},
    {"step kind=body end=6\nstep kind=branches op=\"b\" end=3\n"
     "step kind=body end=3\nstep kind=branches op=\"b\" end=6\n"
     "step kind=body end=5\nstep kind=body end=6\n",
     "m:4:1: has other bodies than its condition has ways"},
    {"step kind=body end=4\nstep kind=region op=\"r\" end=4\nstep kind=body "
     "end=3\n"
     "step kind=body end=4\n",
     "m:2:1: has too many bodies"},
    {"step kind=body end=1\nvalue kind=other step=0\n"
     "value kind=buffer step=0\n",
     "m:3:1: is a buffer behind other values"},
    {"step kind=body end=1\nvalue bytes=-2 step=0\n",
     "m:2:1: has less than no bytes"},
    {"step kind=body end=2\nstep kind=pass op=\"r\" end=2\n"
     "value kind=buffer step=1\n",
     "m:3:1: is not made by an allocation"},
    {"step kind=body end=1\nvalue kind=other step=0\nsource value=0\n",
     "m:3:1: is no buffer"},
    {"step kind=body end=1\nvalue bytes=8 step=0\n"
     "slice value=0 bytes=9 is_exact element_bytes=9\n",
     "m:3:1: does not lie in its value"},
};

static void test_refused(void) {
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    LunaArena arena = {0};
    LunaModel model;
    LunaError error = {0};
    CHECK(!parse(refused[i].text, &arena, &model, &error));
    CHECK_EQ(error.code, LUNA_ERROR_INPUT);
    CHECK_STR(error.message, refused[i].message);
    luna_arena_destroy(&arena);
  }
}

// A tower of regions, each in the other.
static void test_depth(void) {
  LunaArena arena = {0};
  LunaModel model;
  LunaError error = {0};
  LunaText text = {0};
  for (int i = 0; i < 400; ++i)
    luna_text_printf(&text, "step kind=%s op=\"r\" end=400\n",
                     i % 2 == 0 ? "body" : "region");
  luna_text_append(&text, "", 1);
  CHECK(!parse(text.data, &arena, &model, &error));
  CHECK_STR(error.message, "m:258:1: stands too deep");
  luna_text_deinit(&text);
  luna_arena_destroy(&arena);
}

int main(void) {
  RUN_TEST(test_every_field);
  RUN_TEST(test_refused);
  RUN_TEST(test_depth);
  return 0;
}
