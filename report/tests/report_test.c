#include "luna/report.h"

#include <stdint.h>

#include "check.h"

// A made-up program: a stem, an if with two branches, a tail.
//
// With an argument the test writes its page there, to be looked at.

enum { STEPS = 26, BUFFERS = 25, EVENTS_MAX = 200 };

typedef struct Sample {
  const char *step_names[STEPS], *step_paths[STEPS];
  LunaReportBuffer buffers[BUFFERS];
  LunaSteps live[BUFFERS];
  LunaSteps then_steps[2], else_steps[2];
  LunaReportEvent events[EVENTS_MAX];
  uint64_t event_count;
  LunaReportOp ops[STEPS];
  LunaReportPath paths[2];
  LunaPlanRow rows[8];
  LunaReportData data;
  char names[STEPS + BUFFERS][48];
} Sample;

static void add_event(Sample *sample, LunaReportRow row, uint32_t step,
                      uint64_t begin, uint64_t end, int32_t token) {
  sample->events[sample->event_count++] = (LunaReportEvent){
      .row = row,
      .op = sample->step_names[step],
      .begin_cycles = begin,
      .end_cycles = end,
      .token = token,
      .transfer_op = token ? sample->step_names[token] : NULL,
      .bytes = token ? (int64_t)(end - begin) : 0,
      .buffer = token ? (token % 2 ? "dma_buffer1" : "dma_buffer2") : NULL,
  };
}

// Ping-pong: the transfer of step s + 1 runs while step s computes.
static uint64_t make_events(Sample *sample, uint32_t first, uint32_t end) {
  uint64_t now = 0, ready = 0;
  for (uint32_t s = first; s < end; s++) {
    if (s == first) {
      ready = 9000;
      add_event(sample, LUNA_REPORT_DMA, s, 0, ready, (int32_t)s + 1);
    }
    if (ready > now) {
      add_event(sample, LUNA_REPORT_STALL, s, now, ready, (int32_t)s + 1);
      now = ready;
    }
    if (s + 1 < end) {
      ready = now + 4000 + 3500 * (s % 5);
      add_event(sample, LUNA_REPORT_DMA, s, now, ready, (int32_t)s + 2);
    }
    add_event(sample, LUNA_REPORT_HOST, s, now, now + 1800, 0);
    add_event(sample, LUNA_REPORT_COMPUTE, s, now + 1800, now + 13000 - s * 300,
              0);
    now += 13000 - s * 300;
  }
  return now;
}

static void make_steps(Sample *sample) {
  for (uint32_t s = 0; s < STEPS; s++) {
    snprintf(sample->names[s], sizeof sample->names[s], "conv%u", (unsigned)s);
    sample->step_names[s] = sample->names[s];
    sample->step_paths[s] = s < 4 || s >= 22 ? "straight"
                            : s < 12         ? "if0=then"
                                             : "if0=else";
  }
  sample->then_steps[0] = (LunaSteps){0, 12};
  sample->then_steps[1] = (LunaSteps){22, STEPS};
  sample->else_steps[0] = (LunaSteps){0, 4};
  sample->else_steps[1] = (LunaSteps){12, STEPS};
}

static void make_buffers(Sample *sample) {
  for (uint32_t b = 0; b < BUFFERS; b++) {
    char *name = sample->names[STEPS + b];
    snprintf(name, sizeof sample->names[0], "conv%u_out", (unsigned)b);
    sample->live[b] = (LunaSteps){b, b == 3 ? 23 : b + 2};
    int64_t size = 24576 - (int64_t)(b % 7) * 2048;
    sample->buffers[b] =
        (LunaReportBuffer){.name = name,
                           .kind = LUNA_BUFFER_TENSOR,
                           .offset_bytes = b % 2 == 0 ? 0 : 26624,
                           .size_bytes = size,
                           .live = &sample->live[b],
                           .live_count = 1};
  }
  sample->buffers[3].offset_bytes = 53248;
  sample->live[23] = (LunaSteps){0, STEPS};
  sample->buffers[23] = (LunaReportBuffer){
      "dma_buffer1", LUNA_BUFFER_STAGING, 73728, 18432, &sample->live[23], 1};
  sample->live[24] = (LunaSteps){6, 9};
  sample->buffers[24] = (LunaReportBuffer){
      "conv7_tiles", LUNA_BUFFER_SCRATCH, 92160, 8192, &sample->live[24], 1};
}

static void make_paths(Sample *sample) {
  for (uint32_t s = 0; s < STEPS; s++)
    sample->ops[s] = (LunaReportOp){.name = sample->step_names[s],
                                    .calls = 1,
                                    .launches = 1 + s % 3,
                                    .compute_cycles = 11200 - s * 300,
                                    .host_cycles = 1800,
                                    .stall_cycles = s % 4 ? 0 : 2500};
  static const char *const hazards[] = {
      "conv9 reads <in flight> bytes of 'dma_buffer1'"};
  uint64_t end = make_events(sample, 0, STEPS - 1);
  sample->paths[0] = (LunaReportPath){
      .name = "if0=then",
      .steps = sample->then_steps,
      .step_range_count = 2,
      .simulated = {.total = end,
                    .compute = end * 7 / 10,
                    .host = end * 2 / 10,
                    .stall = end / 10,
                    .dma = end / 2,
                    .bound = end * 9 / 10,
                    .synchronous = end * 13 / 10},
      .events = sample->events,
      .event_count = sample->event_count,
      .ops = sample->ops,
      .op_count = STEPS,
      .is_checked = true,
      .is_equal = true,
  };
  sample->paths[1] = sample->paths[0];
  sample->paths[1].name = "if0=else";
  sample->paths[1].steps = sample->else_steps;
  sample->paths[1].simulated.total = 0;
  sample->paths[1].predicted.total = end / 2;
  sample->paths[1].hazard_count = 1;
  sample->paths[1].hazards = hazards;
  sample->paths[1].hazard_message_count = 1;
}

static void make_sample(Sample *sample) {
  memset(sample, 0, sizeof *sample);
  make_steps(sample);
  make_buffers(sample);
  make_paths(sample);
  static const char *const strategies[] = {"naive", "large-first"};
  for (uint32_t i = 0; i < 8; i++)
    sample->rows[i] =
        (LunaPlanRow){strategies[i / 4], (LunaMerge)(i % 4),
                      i < 4 ? 400000 + i * 9000 : 90000 + i * 800,
                      i < 4 ? 420000 + i * 9000 : 97152 + i * 800};
  sample->data = (LunaReportData){
      .model = "made_up",
      .machine = "venus",
      .dma = "ping-pong",
      .io = "psram",
      .version = "0.1.0",
      .clock_hz = 300000000,
      .plan = {.strategy = "large-first",
               .merge = LUNA_MERGE_PATH,
               .capacity_bytes = 131072,
               .total = {.bytes = 100352, .lower_bound_bytes = 98304},
               .tensor = {.bytes = 77824, .lower_bound_bytes = 77824},
               .staging_bytes = 18432,
               .scratch_bytes = 8192,
               .rows = sample->rows,
               .row_count = 8,
               .step_names = sample->step_names,
               .step_paths = sample->step_paths,
               .step_count = STEPS},
      .buffers = sample->buffers,
      .buffer_count = BUFFERS,
      .paths = sample->paths,
      .path_count = 2,
  };
}

static Sample sample;

static LunaText page_of(const LunaReportData *data) {
  LunaText html = {0};
  LunaError error = {0};
  CHECK(luna_report_html(data, &html, &error));
  return html;
}

static bool has(const LunaText *html, const char *part) {
  return strstr(html->data, part) != NULL;
}

static uint32_t count_of(const char *text, const char *part) {
  uint32_t count = 0;
  for (; (text = strstr(text, part)) != NULL; text++)
    count++;
  return count;
}

static void page_shows_sizes_paths_and_strategies(void) {
  make_sample(&sample);
  LunaText html = page_of(&sample.data);
  CHECK(has(&html, "<title>made_up on venus</title>"));
  CHECK(has(&html, "100,352"));
  CHECK(has(&html, "at most 2.1 % above the best possible"));
  CHECK(has(&html, "large-first"));
  CHECK(has(&html, "if0=else"));
  CHECK(has(&html, "nothing overlaps it"));
  CHECK(has(&html, "1 hazard</h3>"));
  CHECK(has(&html, "conv9 reads &lt;in flight&gt; bytes of "
                   "&#39;dma_buffer1&#39;"));
  CHECK_EQ(count_of(html.data, "<section class=path"), 2);
  CHECK_EQ(count_of(html.data, "<svg"), count_of(html.data, "</svg>"));
  CHECK_EQ(count_of(html.data, "<td"), count_of(html.data, "</td>"));
  luna_text_deinit(&html);
}

static void page_needs_no_network(void) {
  make_sample(&sample);
  LunaText html = page_of(&sample.data);
  CHECK(!has(&html, "http"));
  CHECK(!has(&html, "src="));
  CHECK(!has(&html, "@import"));
  luna_text_deinit(&html);
}

static void same_data_gives_the_same_bytes(void) {
  make_sample(&sample);
  LunaText first = page_of(&sample.data);
  LunaText second = page_of(&sample.data);
  CHECK_STR(second.data, first.data);
  luna_text_deinit(&first);
  luna_text_deinit(&second);
}

static void names_are_escaped_and_bad_bytes_replaced(void) {
  make_sample(&sample);
  sample.data.model = "<script>\"x\" & 'y'</script>";
  sample.buffers[0].name = "caf\xc3\xa9 \xff\xc0\xaf\x01";
  LunaText html = page_of(&sample.data);
  CHECK(has(&html, "&lt;script&gt;&quot;x&quot; &amp; &#39;y&#39;"));
  CHECK(has(&html, "caf\xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
                   "\xef\xbf\xbd"));
  CHECK_EQ(count_of(html.data, "<script>"), 1);
  luna_text_deinit(&html);
}

static void a_long_name_is_cut_at_the_peak_and_nowhere_else(void) {
  char name[101];
  memset(name, 'x', 100);
  name[100] = 0;
  make_sample(&sample);
  for (int s = 0; s < STEPS; ++s)
    sample.step_names[s] = name;
  LunaText html = page_of(&sample.data);
  char peak[80];
  snprintf(peak, sizeof peak, ">peak at %.60s…<", name);
  CHECK(has(&html, peak));
  CHECK(has(&html, name));
  luna_text_deinit(&html);
}

static void buffers_of_other_branches_are_left_out(void) {
  make_sample(&sample);
  sample.data.path_count = 1;
  LunaText html = page_of(&sample.data);
  CHECK(has(&html, "conv5_out (tensor)"));
  CHECK(!has(&html, "conv15_out (tensor)"));
  luna_text_deinit(&html);
}

static void a_buffer_outliving_both_branches_is_one_bar_on_each_path(void) {
  make_sample(&sample);
  sample.data.path_count = 1;
  LunaText html = page_of(&sample.data);
  CHECK_EQ(count_of(html.data, "<title>conv3_out (tensor)"), 1);
  CHECK(has(&html, "live in steps 3 to 12"));
  luna_text_deinit(&html);
}

static void joins_have_a_table(void) {
  static const LunaRecordJoin joins[] = {
      {"if0#0", LUNA_JOIN_COALESCED, 0, 0},
      {"loop0#1", LUNA_JOIN_COPIED, 5764, 64},
      {"if1#0", LUNA_JOIN_POINTER, 0, 16384},
  };
  make_sample(&sample);
  LunaText html = page_of(&sample.data);
  CHECK(!has(&html, "<h2>Joins</h2>"));
  luna_text_deinit(&html);
  sample.data.plan.joins = joins;
  sample.data.plan.join_count = 3;
  html = page_of(&sample.data);
  CHECK(has(&html, "<h2>Joins</h2>"));
  CHECK(has(&html, "<td>loop0#1</td><td>copied</td><td class=n>5,764</td>"
                   "<td class=n>64</td>"));
  CHECK(has(&html, "<td>if1#0</td><td>pointer</td><td class=n>0</td>"));
  luna_text_deinit(&html);
}

static void versions_have_a_table(void) {
  static const LunaRecordCase cases[] = {
      {"shape=8", 64, 32},
      {"shape=88", 4096, 2048},
  };
  static const LunaPathCost paths[] = {
      {.path = "shape=88", .cycles = 9000},
      {.path = "shape=8/if0=then", .cycles = 1200},
      {.path = "shape=8/if0=else", .cycles = 1300},
  };
  make_sample(&sample);
  LunaText html = page_of(&sample.data);
  CHECK(!has(&html, "<h2>Versions</h2>"));
  luna_text_deinit(&html);
  sample.data.plan.cases = cases;
  sample.data.plan.case_count = 2;
  sample.data.cost = (LunaCostRecord){.paths = paths, .path_count = 3};
  html = page_of(&sample.data);
  CHECK(has(&html, "<td>shape=8</td><td class=n>64</td><td class=n>32</td>"
                   "<td class=n>1,300</td>"));
  CHECK(has(&html, "<td>shape=88</td><td class=n>4,096</td>"));
  luna_text_deinit(&html);
}

static void empty_data_gives_a_page(void) {
  LunaReportData data = {0};
  LunaText html = page_of(&data);
  CHECK(has(&html, "</html>"));
  luna_text_deinit(&html);
}

static void sizes_near_the_limits_do_not_overflow(void) {
  make_sample(&sample);
  sample.buffers[0].size_bytes = INT64_MAX / 65536 - 1;
  sample.paths[0].simulated.total = UINT64_MAX / 1001;
  sample.events[3].end_cycles = UINT64_MAX / 1001;
  LunaText html = page_of(&sample.data);
  CHECK(has(&html, "</html>"));
  luna_text_deinit(&html);
}

static void invalid_data_is_refused(void) {
  LunaText html = {0};
  LunaError error = {0};
  make_sample(&sample);
  sample.live[4] = (LunaSteps){4, STEPS + 1};
  CHECK(!luna_report_html(&sample.data, &html, &error));
  CHECK_EQ(error.code, LUNA_ERROR_INPUT);
  CHECK_EQ(error.item, 4);
  CHECK_STR(error.message, "buffer 'conv4_out' is live in ranges that are not "
                           "ascending or lie beyond the 26 steps");
  make_sample(&sample);
  sample.buffers[2].size_bytes = -1;
  CHECK(!luna_report_html(&sample.data, &html, &error));
  CHECK_STR(error.message, "buffer 'conv2_out' has offset 0 and size -1");
  make_sample(&sample);
  sample.then_steps[1].first = 3;
  CHECK(!luna_report_html(&sample.data, &html, &error));
  CHECK_STR(error.message, "path 'if0=then' has ranges that are not ascending "
                           "or lie beyond the 26 steps");
  make_sample(&sample);
  sample.events[1].end_cycles = 0;
  sample.events[1].begin_cycles = 1;
  CHECK(!luna_report_html(&sample.data, &html, &error));
  CHECK_EQ(html.length, 0);
  luna_text_deinit(&html);
}

int main(int argc, char **argv) {
  RUN_TEST(page_shows_sizes_paths_and_strategies);
  RUN_TEST(page_needs_no_network);
  RUN_TEST(same_data_gives_the_same_bytes);
  RUN_TEST(names_are_escaped_and_bad_bytes_replaced);
  RUN_TEST(a_long_name_is_cut_at_the_peak_and_nowhere_else);
  RUN_TEST(buffers_of_other_branches_are_left_out);
  RUN_TEST(a_buffer_outliving_both_branches_is_one_bar_on_each_path);
  RUN_TEST(joins_have_a_table);
  RUN_TEST(versions_have_a_table);
  RUN_TEST(empty_data_gives_a_page);
  RUN_TEST(sizes_near_the_limits_do_not_overflow);
  RUN_TEST(invalid_data_is_refused);
  if (argc > 1) {
    make_sample(&sample);
    LunaText html = page_of(&sample.data);
    CHECK(luna_text_write_file(argv[1], html.data, html.length, NULL));
    luna_text_deinit(&html);
  }
  return 0;
}
