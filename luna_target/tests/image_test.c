#include "luna/image.h"

#include <string.h>

#include "check.h"
#include "test_machine.h"

static LunaMachine machine_of(uint64_t shared, uint64_t psram, uint64_t flash) {
  LunaMachine machine = test_machine();
  machine.shared = (LunaMemory){shared, 0x20050000};
  machine.psram = (LunaMemory){psram, 0x68000000};
  machine.flash = (LunaMemory){flash, 0};
  return machine;
}

static const LunaImage image = {
    .text_bytes = 100,
    .rodata_bytes = 20,
    .descriptor_bytes = 8,
    .weight_bytes = 64,
    .arena_bytes = 512,
    .scratch_bytes = 16,
    .state_bytes = 32,
    .io_bytes = 48,
};

static void parts_are_aligned(void) {
  const LunaProgramTensor inputs[] = {{.bytes = 3, .buffer = LUNA_NO_ID},
                                      {.bytes = 16, .buffer = LUNA_NO_ID}};
  const LunaProgramTensor outputs[] = {{.bytes = 17, .buffer = LUNA_NO_ID}};
  const LunaProgramInfo program = {.inputs = inputs,
                                   .input_count = 2,
                                   .outputs = outputs,
                                   .output_count = 1,
                                   .arena_bytes = 512,
                                   .weight_bytes = 64,
                                   .psram_scratch_bytes = 5,
                                   .state_bytes = 1};
  LunaImage found = luna_image_of(&program, 16);
  CHECK_EQ(found.io_bytes, 64);
  CHECK_EQ(found.scratch_bytes, 16);
  CHECK_EQ(found.state_bytes, 16);
  CHECK_EQ(luna_image_psram_bytes(&found), 160);
  CHECK_EQ(found.arena_bytes, 512);
}

static void what_is_full_fits(void) {
  LunaMachine machine = machine_of(512, 160, 192);
  LunaError error = {0};
  CHECK(luna_image_check(&image, &machine, &error));
}

static void fails(uint64_t shared, uint64_t psram, uint64_t flash,
                  const char *message) {
  LunaMachine machine = machine_of(shared, psram, flash);
  LunaError error = {0};
  CHECK(!luna_image_check(&image, &machine, &error));
  CHECK_EQ(error.code, LUNA_ERROR_CAPACITY);
  CHECK_STR(error.message, message);
}

static void a_byte_more_does_not(void) {
  fails(511, 160, 192,
        "the arena takes 512 bytes of shared memory, machine 'test' has 511");
  fails(512, 159, 192,
        "the program takes 160 bytes of PSRAM (weights 64, scratch 16, state "
        "32, inputs and outputs 48), machine 'test' has 159");
  fails(512, 160, 191,
        "the program takes 192 bytes of flash (code 100, constants 20, "
        "descriptors 8, weights 64), machine 'test' has 191");
}

static void addresses_are_cut_to_what_there_is(void) {
  LunaMachine machine = machine_of(512, 160, 192);
  LunaText text = {0};
  luna_image_link_script(&machine, 32, &text);
  CHECK(strstr(text.data, "psram : ORIGIN = 0x68000000, LENGTH = 160\n"));
  luna_text_deinit(&text);
  luna_image_link_script(&machine, 30, &text);
  CHECK(strstr(text.data, "psram : ORIGIN = 0x28000000, LENGTH = 160\n"));
  CHECK(strstr(text.data, "shared : ORIGIN = 0x20050000, LENGTH = 512\n"));
  luna_text_deinit(&text);
}

int main(void) {
  RUN_TEST(parts_are_aligned);
  RUN_TEST(what_is_full_fits);
  RUN_TEST(a_byte_more_does_not);
  RUN_TEST(addresses_are_cut_to_what_there_is);
  return 0;
}
