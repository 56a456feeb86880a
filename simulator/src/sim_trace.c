#include "luna/json.h"
#include "sim_state.h"

// The time line as Chrome trace JSON ("trace event format"): one process, one
// thread per row, complete events. Times are in µs; `args` has the cycles.

static const char *const row_names[] = {
    [LUNA_ROW_COMPUTE] = "compute",
    [LUNA_ROW_HOST] = "host",
    [LUNA_ROW_DMA] = "DMA",
    [LUNA_ROW_STALL] = "stall",
};
enum { ROW_COUNT = 4 };

static uint64_t nanoseconds(const LunaSimulator *sim, uint64_t cycles) {
  uint64_t hz = sim->machine.clock_hz > 0 ? sim->machine.clock_hz : 1000000000;
  return cycles / hz * 1000000000u + cycles % hz * 1000000000u / hz;
}

static void begin_event(LunaJson *json, const char *phase, const char *name,
                        int32_t row) {
  luna_json_begin_object(json, NULL);
  luna_json_string(json, "ph", phase);
  luna_json_string(json, "name", name);
  luna_json_integer(json, "pid", 1);
  luna_json_integer(json, "tid", row + 1);
}

static void write_row_name(LunaJson *json, int32_t row) {
  begin_event(json, "M", "thread_name", row);
  luna_json_begin_object(json, "args");
  luna_json_string(json, "name", row_names[row]);
  luna_json_end_object(json);
  luna_json_end_object(json);
}

static void write_transfer(const LunaSimulator *sim, LunaJson *json,
                           const LunaTimelineEvent *event) {
  static const char *const directions[] = {"load", "store", "on chip"};
  bool is_known =
      event->direction >= 0 && event->direction < LUNA_DMA_DIRECTION_COUNT;
  luna_json_integer(json, "transfer", event->token);
  if (event->row == LUNA_ROW_STALL)
    luna_json_string(json, "started by",
                     luna_simulator_op_name(sim, event->transfer_op));
  luna_json_integer(json, "bytes", event->bytes);
  luna_json_string(json, "direction",
                   is_known ? directions[event->direction] : NULL);
  if (event->buffer != LUNA_NO_ID)
    luna_json_integer(json, "buffer", event->buffer);
  if (event->content != LUNA_NO_ID)
    luna_json_integer(json, "content", event->content);
}

static void write_event(const LunaSimulator *sim, LunaJson *json,
                        const LunaTimelineEvent *event) {
  begin_event(json, "X", luna_simulator_op_name(sim, event->op), event->row);
  uint64_t begin = nanoseconds(sim, event->begin_cycles);
  luna_json_thousandths(json, "ts", begin);
  luna_json_thousandths(json, "dur",
                        nanoseconds(sim, event->end_cycles) - begin);
  luna_json_begin_object(json, "args");
  luna_json_integer(json, "begin cycle", (int64_t)event->begin_cycles);
  luna_json_integer(json, "cycles",
                    (int64_t)(event->end_cycles - event->begin_cycles));
  if (event->row == LUNA_ROW_DMA || event->row == LUNA_ROW_STALL)
    write_transfer(sim, json, event);
  luna_json_end_object(json);
  luna_json_end_object(json);
}

void luna_simulator_write_trace(const LunaSimulator *sim, LunaText *text) {
  LunaJson json = {.text = text};
  luna_json_begin_object(&json, NULL);
  luna_json_string(&json, "displayTimeUnit", "ns");
  luna_json_begin_array(&json, "traceEvents");
  for (int32_t row = 0; row < ROW_COUNT; ++row)
    write_row_name(&json, row);
  const LunaTimelineEvent *events = sim->events.items;
  for (uint64_t i = 0; i < sim->events.count; ++i)
    write_event(sim, &json, &events[i]);
  luna_json_end_array(&json);
  luna_json_end_object(&json);
}
