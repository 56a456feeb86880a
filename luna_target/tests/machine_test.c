#define _POSIX_C_SOURCE 200809L

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "luna/machine.h"

static LunaText file_text(const char *name) {
  LunaArena arena = {0};
  LunaText text = {0};
  LunaError error = {0};
  const char *path =
      luna_arena_printf(&arena, "%s/%s.xml", luna_machine_dir(&arena), name);
  CHECK(
      luna_text_read_file(&text, path, LUNA_MACHINE_FILE_LIMIT_BYTES, &error));
  luna_arena_destroy(&arena);
  return text;
}

// Parses venus.xml with the first `from` replaced by `to`.
static bool parse_changed(const char *from, const char *to,
                          LunaMachine *machine, LunaError *error) {
  LunaText text = file_text("venus"), changed = {0};
  const char *at = strstr(text.data, from);
  CHECK(at != NULL);
  luna_text_append(&changed, text.data, (size_t)(at - text.data));
  luna_text_printf(&changed, "%s%s", to, at + strlen(from));
  bool is_parsed = luna_machine_parse(changed.data, changed.length, "m.xml",
                                      NULL, machine, error);
  luna_text_deinit(&text);
  luna_text_deinit(&changed);
  return is_parsed;
}

// Checks that the change is refused with these words and the line named.
static void refuses(const char *from, const char *to, const char *words) {
  LunaMachine machine;
  LunaError error = {0};
  CHECK(!parse_changed(from, to, &machine, &error));
  CHECK_EQ(error.code, LUNA_ERROR_SETUP);
  CHECK(strncmp(error.message, "m.xml:", 6) == 0);
  CHECK(error.item != LUNA_ERROR_NO_ITEM);
  CHECK_EQ(atoi(error.message + 6), error.item);
  if (!strstr(error.message, words))
    CHECK_STR(error.message, words);
}

static void venus_has_the_values_of_its_file(void) {
  LunaMachine machine;
  LunaError error = {0};
  CHECK(luna_machine_load("venus", NULL, &machine, &error));
  CHECK_STR(machine.name, "venus");
  CHECK_EQ(machine.shared.bytes, 655360);
  CHECK_EQ(machine.shared.base_address, 0x5FE00000);
  CHECK_EQ(machine.psram.bytes, 8388608);
  CHECK_EQ(machine.alignment_bytes, 16);
  CHECK_EQ(machine.dma_outstanding, 8);
  CHECK_EQ(machine.dma_weights_max_bytes, 65536);
  CHECK_EQ(machine.dma[0].point_count, 11);
  CHECK_EQ(machine.dma[0].points[10].cycles, 63922);
  CHECK_EQ(machine.dma[1].points[0].cycles, 829);
  CHECK_EQ(machine.dma[2].cycles_numerator, 6562);
  CHECK_EQ(machine.macs_per_cycle_i8, 128);
  CHECK_EQ(machine.conv.kernel_max, 5);
  CHECK_EQ(machine.conv.strides[2], 4);
  CHECK_EQ(machine.conv.strides[3], 0);
  CHECK_EQ(machine.conv.dilations[1], 0);
  CHECK_EQ(machine.depthwise.mac_rate_divisor, 8);
  CHECK_EQ(machine.matmul.width_align_per_stride, 4);
  CHECK(machine.requant_shift && !machine.requant_multiplier);
  CHECK(machine.host[LUNA_HOST_OPERATOR] > machine.host[LUNA_HOST_START]);
}

static void calls_are_found_by_name_and_widths(void) {
  LunaMachine machine;
  LunaError error = {0};
  CHECK(luna_machine_load("venus", NULL, &machine, &error));
  const LunaUnitCall *scale =
      luna_machine_call(&machine, LUNA_CALL_SCALE, 32, 32);
  CHECK(scale != NULL && scale->in_place);
  CHECK_EQ(luna_call_cycles(scale, 1000, 0), 526 + 500);
  CHECK_EQ(luna_call_cycles(scale, 1001, 0), 526 + 501);
  const LunaUnitCall *wider =
      luna_machine_call(&machine, LUNA_CALL_SCALE, 8, 32);
  CHECK(wider != NULL && !wider->in_place);
  CHECK_EQ(luna_machine_call(&machine, LUNA_CALL_SCALE, 32, 8)->fixed_cycles,
           554);
  CHECK(!luna_machine_call(&machine, LUNA_CALL_LUT, 8, 8));
  CHECK(!luna_machine_call(&machine, LUNA_CALL_CMP_VS, 32, 8));
  const LunaUnitCall *transpose =
      luna_machine_call(&machine, LUNA_CALL_MAT_TRANS, 32, 32);
  CHECK_EQ(transpose->max_bytes, 65536);
  CHECK_EQ(luna_call_cycles(transpose, 20 * 30, 20 + 30), 1038 + 300 + 100);
  // Copies and fills of today's launches cost what the calls do.
  CHECK_EQ(machine.copy_launch_cycles, 469);
  CHECK_EQ(machine.copy_bytes_per_cycle, 7);
  CHECK_EQ(machine.fill_bytes_per_cycle, 8);
}

// No result that is wider than the operands may be written over them.
static void no_machine_widens_in_place(void) {
  LunaArena arena = {0};
  LunaError error = {0};
  const char **names = NULL;
  uint64_t count = 0;
  CHECK(luna_machine_list(NULL, &arena, &names, &count, &error));
  CHECK_EQ(count, 3);
  for (uint64_t i = 0; i < count; ++i) {
    LunaMachine machine;
    CHECK(luna_machine_load(names[i], NULL, &machine, &error));
    CHECK(machine.call_count > 0);
    for (uint32_t at = 0; at < machine.call_count; ++at)
      CHECK(!machine.calls[at].in_place ||
            machine.calls[at].output_bits < 2 * machine.calls[at].input_bits);
  }
  luna_arena_destroy(&arena);
}

// Each value that is assumed in a machine file of ours says what would tell it.
static void what_is_assumed_can_be_measured(void) {
  static const char *const files[] = {"arcs", "venus", "venusa"};
  for (size_t i = 0; i < 3; ++i) {
    LunaText text = file_text(files[i]);
    const char *at = text.data;
    while ((at = strstr(at, "source=\"assumed: ")) != NULL) {
      const char *measure = strstr(at, "; to measure: ");
      at += strlen("source=\"");
      CHECK(measure != NULL && measure < strchr(at, '"'));
    }
    luna_text_deinit(&text);
  }
}

static void products_say_what_the_library_takes(void) {
  LunaMachine machine;
  LunaError error = {0};
  CHECK(luna_machine_load("venusa", NULL, &machine, &error));
  CHECK_STR(machine.conv.calls.weight_layout, "OhwI4o8i");
  CHECK_STR(machine.depthwise.calls.weight_layout, "HwC2h4c");
  CHECK_EQ(machine.conv.calls.weight_bits, 4 + 8);
  CHECK_EQ(machine.conv.calls.output_bits, 8 + 16 + 32);
  CHECK_EQ(machine.conv.calls.weight_memories,
           LUNA_IN_SHARED | LUNA_IN_PSRAM | LUNA_IN_FLASH);
  CHECK(machine.requant_channel_shift);
  CHECK(luna_machine_call(&machine, LUNA_CALL_LUT, 8, 8));
  CHECK(luna_machine_load("venus", NULL, &machine, &error));
  CHECK_STR(machine.depthwise.calls.row_strips, "caller");
  CHECK_EQ(machine.conv.calls.input_memories, LUNA_IN_SHARED);
  CHECK_EQ(machine.pool.max_input_bytes, 262144);
  CHECK_EQ(machine.pool.mean_output_bits, 8 + 16);
  CHECK(machine.assumed_count > 0);
  CHECK(machine.assumed_count < machine.value_count);
}

static void arcs_has_its_own_buffers(void) {
  LunaMachine machine;
  LunaError error = {0};
  CHECK(luna_machine_load("arcs", NULL, &machine, &error));
  CHECK_EQ(machine.shared.bytes, 393216);
  CHECK_EQ(machine.conv.input_buffer_bytes, 16384);
  CHECK_EQ(machine.conv.weight_buffer_bytes, 8192);
  CHECK_EQ(machine.conv.dilations[3], 8);
  CHECK_EQ(machine.macs_per_cycle_i8, 64);
}

static void a_set_of_host_costs_replaces_some_rows(void) {
  LunaMachine scalar, vector;
  LunaError error = {0};
  CHECK(luna_machine_load("venus:scalar", NULL, &scalar, &error));
  CHECK_STR(scalar.name, "venus");
  CHECK(scalar.has_vector && !scalar.is_vector);
  CHECK(luna_machine_load("venus:vector", NULL, &vector, &error));
  CHECK_STR(vector.name, "venus:vector");
  CHECK(vector.is_vector);
  for (int i = 0; i < LUNA_HOST_COST_COUNT; ++i) {
    CHECK_EQ(vector.host[i], scalar.vector_host[i]);
    CHECK(vector.host[i] <= scalar.host[i]);
  }
  CHECK(vector.host[LUNA_HOST_CHANNEL] < scalar.host[LUNA_HOST_CHANNEL]);
  CHECK_EQ(vector.host[LUNA_HOST_TRANSFER], scalar.host[LUNA_HOST_TRANSFER]);
}

static void a_set_that_is_not_there_is_refused(void) {
  LunaText text = file_text("arcs");
  LunaMachine machine;
  LunaError error = {0};
  char *begin = strstr(text.data, "<vector_core source="), *end = NULL;
  CHECK(begin && (end = strstr(begin, "</vector_core>")));
  memset(begin, ' ', (size_t)(end - begin) + strlen("</vector_core>"));
  CHECK(luna_text_write_file("machine_set.tmp.xml", text.data, text.length,
                             &error));
  CHECK(
      luna_machine_load("machine_set.tmp.xml:scalar", NULL, &machine, &error));
  CHECK(!machine.has_vector);
  CHECK_EQ(machine.vector_host[LUNA_HOST_SHIFT], machine.host[LUNA_HOST_SHIFT]);
  CHECK(
      !luna_machine_load("machine_set.tmp.xml:vector", NULL, &machine, &error));
  CHECK_EQ(error.code, LUNA_ERROR_SETUP);
  CHECK_STR(error.message,
            "machine 'arcs' has no core 'vector', it has scalar");
  unlink("machine_set.tmp.xml");
  luna_text_deinit(&text);
  CHECK(!luna_machine_load("venus:", NULL, &machine, &error));
  CHECK(!luna_machine_load("venus:vector:vector", NULL, &machine, &error));
  CHECK(!luna_machine_load("a:b/venus", NULL, &machine, &error));
  CHECK(strstr(error.message, "unknown machine 'a:b/venus'"));
}

static void unknown_machine_lists_the_known_ones(void) {
  LunaMachine machine;
  LunaError error = {0};
  CHECK(!luna_machine_load("mars", NULL, &machine, &error));
  CHECK_EQ(error.code, LUNA_ERROR_SETUP);
  CHECK(strstr(error.message, "unknown machine 'mars', known are arcs, venus"));
  CHECK(!luna_machine_load("../machines/venus", NULL, &machine, &error));
  CHECK(!luna_machine_load("", NULL, &machine, &error));
  CHECK(!luna_machine_load("venus", "/nonexistent", &machine, &error));
  CHECK_EQ(error.code, LUNA_ERROR_SETUP);
}

static void missing_file_is_a_set_up_error(void) {
  LunaMachine machine;
  LunaError error = {0};
  CHECK(!luna_machine_load("nowhere.xml", NULL, &machine, &error));
  CHECK_EQ(error.code, LUNA_ERROR_SETUP);
  CHECK(strstr(error.message, "nowhere.xml"));
}

static void a_file_of_ones_own_is_a_machine(void) {
  LunaText text = file_text("arcs");
  LunaMachine machine;
  LunaError error = {0};
  CHECK(luna_text_write_file("machine_test.tmp.xml", text.data, text.length,
                             &error));
  CHECK(luna_machine_load("machine_test.tmp.xml", NULL, &machine, &error));
  CHECK_STR(machine.name, "arcs");
  unlink("machine_test.tmp.xml");
  luna_text_deinit(&text);
}

static void schema_violations_are_refused_with_their_line(void) {
  refuses("<clock_hz", "<clock_khz", "clock_khz");
  refuses("<bytes value=\"655360\"", "<bytes value=\"-5\"", "-5");
  refuses("<bytes value=\"655360\"", "<bytes value=\"lots\"", "lots");
  refuses("<bytes value=\"655360\"", "<bytes", "'value' is required");
  refuses("value=\"1 2 4\"", "value=\"1 2 4 8 16\"", "length");
  refuses("<call name=\"add\"", "<call name=\"plus\"", "plus");
  refuses("<weight_layout value=\"OhwI2o8i\"", "<weight_layout value=\"8i\"",
          "8i");
  refuses("<weight_layout value=\"OhwI2o8i\"",
          "<weight_layout value=\"OhwI2o\"",
          "must name each of o (or c), h and w once");
  refuses("name=\"venus\"", "name=\"Venus!\"", "Venus!");
  refuses("value=\"0x5FE00000\"", "value=\"5FE00000\"", "5FE00000");
  refuses("value=\"300000000\"\n      source=", "value=\"300000000\" x=", "x");
}

static void contradictions_are_refused_with_their_line(void) {
  refuses("<alignment_bytes value=\"16\"", "<alignment_bytes value=\"12\"",
          "power of two");
  refuses("<granule_bytes value=\"4\"", "<granule_bytes value=\"64\"",
          "divides alignment_bytes");
  refuses("<clock_hz value=\"300000000\"", "<clock_hz value=\"0\"",
          "must not be 0");
  refuses("bytes=\"512\"", "bytes=\"256\"", "must grow");
  refuses("<call name=\"add\" in=\"i8\"", "<call name=\"add\" in=\"i16\"",
          "must have 'add' from i8 to i8");
  refuses("<strides value=\"1 2 4\"", "<strides value=\"2 4\"",
          "must start with 1");
  refuses("<input_buffer_bytes value=\"65536\"",
          "<input_buffer_bytes value=\"128\"", "one aligned pixel");
}

static void malformed_xml_is_refused_with_its_line(void) {
  refuses("</shared>", "</sharer>", "mismatch");
}

static void entities_are_refused(void) {
  refuses("<machine name",
          "<!DOCTYPE machine [<!ENTITY a \"b\">]>\n<machine name",
          "document type declarations are not allowed");
  refuses("<machine name",
          "<!DOCTYPE machine SYSTEM \"http://example.org/x.dtd\"><machine name",
          "document type declarations are not allowed");
}

static void other_schemas_are_refused(void) {
  refuses("<machine name",
          "<machine xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" "
          "xsi:noNamespaceSchemaLocation=\"http://example.org/x.xsd\" name",
          "namespaces are not allowed");
}

static void truncated_text_is_refused_at_every_length(void) {
  LunaText text = file_text("venus");
  LunaMachine machine;
  for (size_t length = 0; length < text.length - 12; length += 997) {
    LunaError error = {0};
    CHECK(!luna_machine_parse(text.data, length, "m.xml", NULL, &machine,
                              &error));
    CHECK_EQ(error.code, LUNA_ERROR_SETUP);
    CHECK(strncmp(error.message, "m.xml:", 6) == 0);
  }
  luna_text_deinit(&text);
}

static void more_than_a_mebibyte_is_refused(void) {
  size_t length = LUNA_MACHINE_FILE_LIMIT_BYTES + 1;
  char *text = malloc(length);
  memset(text, ' ', length);
  LunaMachine machine;
  LunaError error = {0};
  CHECK(!luna_machine_parse(text, length, "m.xml", NULL, &machine, &error));
  CHECK(strstr(error.message, "1 MiB"));
  free(text);
}

static void a_missing_schema_is_named(void) {
  LunaText text = file_text("venus");
  LunaMachine machine;
  LunaError error = {0};
  CHECK(!luna_machine_parse(text.data, text.length, "m.xml", "/nonexistent",
                            &machine, &error));
  CHECK_EQ(error.code, LUNA_ERROR_SETUP);
  CHECK(strstr(error.message, "machine.xsd"));
  luna_text_deinit(&text);
}

static void the_folder_follows_the_environment(void) {
  const char *outside = getenv("LUNA_MACHINES");
  char *kept = outside ? strdup(outside) : NULL;
  LunaArena arena = {0};
  setenv("LUNA_MACHINES", "/some/where", 1);
  CHECK_STR(luna_machine_dir(&arena), "/some/where");
  luna_arena_destroy(&arena);
  if (kept)
    setenv("LUNA_MACHINES", kept, 1);
  else
    unsetenv("LUNA_MACHINES");
  free(kept);
}

static void a_description_names_the_memories_and_limits(void) {
  LunaMachine machine;
  LunaError error = {0};
  LunaText text = {0};
  CHECK(luna_machine_load("venus", NULL, &machine, &error));
  luna_machine_describe(&machine, &text);
  CHECK(strstr(text.data, "venus, 300 MHz\n"));
  CHECK(strstr(text.data, "655360 bytes (640 KiB) at 0x5fe00000"));
  CHECK(strstr(text.data, "kernel 1..5, stride 1,2,4"));
  CHECK(strstr(text.data, "shift only"));
  luna_text_deinit(&text);
}

static void every_element_of_the_schema_is_documented(void) {
  LunaArena arena = {0};
  LunaText schema = {0}, manual = {0};
  LunaError error = {0};
  const char *path =
      luna_arena_printf(&arena, "%s/machine.xsd", luna_machine_dir(&arena));
  CHECK(luna_text_read_file(&schema, path, 1 << 20, &error));
  CHECK(luna_text_read_file(&manual, LUNA_DOCS_DIR "/machine-files.md", 1 << 20,
                            &error));
  static const char start[] = "<xs:element name=\"";
  int count = 0;
  for (char *at = strstr(schema.data, start); at; at = strstr(at, start)) {
    at += strlen(start);
    char word[64];
    snprintf(word, sizeof word, "`%.*s", (int)strcspn(at, "\""), at);
    if (!strstr(manual.data, word))
      CHECK_STR("not in docs/machine-files.md", word);
    ++count;
  }
  CHECK(count > 50);
  luna_arena_destroy(&arena);
  luna_text_deinit(&schema);
  luna_text_deinit(&manual);
}

int main(void) {
  RUN_TEST(venus_has_the_values_of_its_file);
  RUN_TEST(calls_are_found_by_name_and_widths);
  RUN_TEST(no_machine_widens_in_place);
  RUN_TEST(what_is_assumed_can_be_measured);
  RUN_TEST(products_say_what_the_library_takes);
  RUN_TEST(arcs_has_its_own_buffers);
  RUN_TEST(a_set_of_host_costs_replaces_some_rows);
  RUN_TEST(a_set_that_is_not_there_is_refused);
  RUN_TEST(unknown_machine_lists_the_known_ones);
  RUN_TEST(missing_file_is_a_set_up_error);
  RUN_TEST(a_file_of_ones_own_is_a_machine);
  RUN_TEST(schema_violations_are_refused_with_their_line);
  RUN_TEST(contradictions_are_refused_with_their_line);
  RUN_TEST(malformed_xml_is_refused_with_its_line);
  RUN_TEST(entities_are_refused);
  RUN_TEST(other_schemas_are_refused);
  RUN_TEST(truncated_text_is_refused_at_every_length);
  RUN_TEST(more_than_a_mebibyte_is_refused);
  RUN_TEST(a_missing_schema_is_named);
  RUN_TEST(the_folder_follows_the_environment);
  RUN_TEST(every_element_of_the_schema_is_documented);
  RUN_TEST(a_description_names_the_memories_and_limits);
  return 0;
}
