// Counts instructions under QEMU's user mode, for bench/cores: a plugin.
//
//   qemu-CORE -plugin libcount.so,mark=ADDRESS,ranges=FILE,out=FILE PROGRAM
//
// Each execution of the instruction at `mark` writes the instructions executed
// until then; at the end each range of the file (lines FIRST END NAME, in
// hexadecimal, END not included) gets a line of its own. QEMU counts in its
// translated code, so figures are exact and repeatable.
//
// Debian ships QEMU 7.2 without this header: its interface, version 1.

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t; // NOLINT(readability-identifier-naming)
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { QEMU_PLUGIN_CB_NO_REGS = 0, QEMU_PLUGIN_INLINE_ADD_U64 = 0 };
typedef void (*TranslateCallback)(qemu_plugin_id_t id,
                                  struct qemu_plugin_tb *block);
typedef void (*ExecuteCallback)(unsigned cpu, void *data);
typedef void (*ExitCallback)(qemu_plugin_id_t id, void *data);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           TranslateCallback callback);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, ExitCallback callback,
                                    void *data);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
                                            ExecuteCallback callback, int flags,
                                            void *data);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn,
                                                int operation, void *counter,
                                                uint64_t addend);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *
qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);

EXPORT extern int qemu_plugin_version;
int qemu_plugin_version = 1;
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info,
                               int argument_count, char **arguments);

enum { RANGES_MAX = 4096, NAME_MAX_LENGTH = 127 };

typedef struct Range {
  uint64_t first, end, count;
  char name[NAME_MAX_LENGTH + 1];
} Range;

static Range ranges[RANGES_MAX];
static size_t range_count;
static uint64_t total, mark;
static FILE *out;

static void read_ranges(const char *path) {
  FILE *file = fopen(path, "r");
  Range *range = ranges;
  while (file && range_count < RANGES_MAX &&
         fscanf(file, "%" SCNx64 " %" SCNx64 " %127s", &range->first,
                &range->end, range->name) == 3) {
    ++range;
    ++range_count;
  }
  if (file)
    fclose(file);
}

static void note_mark(unsigned cpu, void *data) {
  (void)cpu;
  (void)data;
  fprintf(out, "mark %" PRIu64 "\n", total);
}

static void count_in(struct qemu_plugin_insn *insn, uint64_t *counter) {
  qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64,
                                             counter, 1);
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); ++i) {
    struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, i);
    uint64_t at = qemu_plugin_insn_vaddr(insn);
    count_in(insn, &total);
    for (size_t k = 0; k < range_count; ++k)
      if (at >= ranges[k].first && at < ranges[k].end)
        count_in(insn, &ranges[k].count);
    if (at == mark)
      qemu_plugin_register_vcpu_insn_exec_cb(insn, note_mark,
                                             QEMU_PLUGIN_CB_NO_REGS, NULL);
  }
}

static void finish(qemu_plugin_id_t id, void *data) {
  (void)id;
  (void)data;
  for (size_t i = 0; i < range_count; ++i)
    if (ranges[i].count > 0)
      fprintf(out, "range %" PRIu64 " %s\n", ranges[i].count, ranges[i].name);
  fprintf(out, "total %" PRIu64 "\n", total);
  fclose(out);
}

static const char *value_of(const char *argument, const char *name) {
  size_t length = strlen(name);
  bool is_it = strncmp(argument, name, length) == 0 && argument[length] == '=';
  return is_it ? argument + length + 1 : NULL;
}

int qemu_plugin_install(qemu_plugin_id_t id, const void *info,
                        int argument_count, char **arguments) {
  (void)info;
  for (int i = 0; i < argument_count; ++i) {
    const char *address = value_of(arguments[i], "mark");
    const char *path = value_of(arguments[i], "ranges");
    const char *result = value_of(arguments[i], "out");
    if (address)
      mark = strtoull(address, NULL, 16);
    if (path)
      read_ranges(path);
    if (result)
      out = fopen(result, "w");
  }
  if (!out)
    return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
  qemu_plugin_register_atexit_cb(id, finish, NULL);
  return 0;
}
