#include "luna/program_header.h"

#include "check.h"
#include "test_machine.h"

// The header of a model with an input on chip, a quantised output and several
// sizes.

static void expect(const LunaText *text, const char *line) {
  if (!strstr(text->data, line))
    CHECK_STR(text->data, line);
}

static void a_header_has_sizes_and_functions(void) {
  const LunaProgramBuffer buffers[] = {
      {.id = 3, .memory = LUNA_PROGRAM_ARENA, .offset_bytes = 32}};
  const LunaProgramTensor input = {.name = "a\nb\\",
                                   .type = LUNA_TYPE_I16,
                                   .rank = 2,
                                   .dims = {4, 5},
                                   .bytes = 40,
                                   .buffer = 3};
  const LunaProgramTensor output = {.name = "y",
                                    .type = LUNA_TYPE_I8,
                                    .bytes = 1,
                                    .scale = 0.5f,
                                    .zero_point = -3,
                                    .buffer = LUNA_NO_ID};
  const LunaProgramVersion version = {0};
  const LunaProgramInfo program = {.name = "m1",
                                   .inputs = &input,
                                   .input_count = 1,
                                   .outputs = &output,
                                   .output_count = 1,
                                   .buffers = buffers,
                                   .buffer_count = 1,
                                   .versions = &version,
                                   .version_count = 1,
                                   .arena_bytes = 512,
                                   .weight_bytes = 64,
                                   .psram_scratch_bytes = 16,
                                   .state_bytes = 8};
  LunaMachine machine = test_machine();
  LunaText text = {0};
  luna_program_header(&program, &machine, &text);
  expect(&text, "#ifndef LUNA_MODEL_M1_H\n");
  expect(&text, "#define LUNA_MODEL_M1_ALIGNMENT_BYTES 16\n");
  expect(&text, "#define LUNA_MODEL_M1_ARENA_BYTES 512\n");
  expect(&text, "#define LUNA_MODEL_M1_PSRAM_BYTES 80\n");
  expect(&text, "#define LUNA_MODEL_M1_STATE_BYTES 8\n");
  expect(&text, "// Input 0, 'a b ': i16 [4, 5]\n"
                "#define LUNA_MODEL_M1_INPUT0_BYTES 40\n"
                "#define LUNA_MODEL_M1_INPUT0_ARENA_OFFSET 32\n");
  expect(&text, "// Output 0, 'y': i8\n"
                "#define LUNA_MODEL_M1_OUTPUT0_BYTES 1\n"
                "#define LUNA_MODEL_M1_OUTPUT0_SCALE 5.000000000e-01f\n"
                "#define LUNA_MODEL_M1_OUTPUT0_ZERO_POINT -3\n");
  expect(&text, "void luna_model_m1(const void *input0, void *output0, void "
                "*arena, void *psram, void *state);\n"
                "void luna_model_m1_init(void *psram, void *state);\n"
                "void luna_model_m1_reset(void *state);\n"
                "int32_t luna_model_m1_bind(");
  expect(&text, "extern const uint8_t luna_model_m1_machine[];\n");
  luna_text_deinit(&text);
}

int main(void) {
  RUN_TEST(a_header_has_sizes_and_functions);
  return 0;
}
