#include "outputs.h"

#include <inttypes.h>
#include <string.h>

#include "emit.h"
#include "luna/npy.h"

// Cuts a name to what a file system takes, with numbers and an ending behind,
// at the start of a character of UTF-8.
static void cut_name(char *name) {
  enum { BYTES_MAX = 200 };
  size_t end = strlen(name);
  if (end > BYTES_MAX)
    end = BYTES_MAX;
  while (end > 0 && ((unsigned char)name[end] & 0xC0) == 0x80)
    --end;
  name[end] = 0;
}

// Returns the names of the files: a tensor's name without '/', cut if it is
// long, and with its number where an earlier output has the same. The arena
// owns them.
static const char **file_names(const LunaProgramTensor *outputs, uint32_t count,
                               LunaArena *arena) {
  const char **names = LUNA_ARENA_ARRAY(arena, const char *, count);
  for (uint32_t i = 0; i < count; ++i) {
    char *name = luna_arena_printf(arena, "%s", outputs[i].name);
    for (char *c = name; *c; ++c)
      if (*c == '/')
        *c = '_';
    cut_name(name);
    names[i] = name;
    for (uint32_t k = 0; k < i; ++k)
      if (strcmp(names[k], name) == 0)
        names[i] = luna_arena_printf(arena, "%s.%" PRIu32, name, i);
  }
  return names;
}

static int write_tensor(LunacSession *session, const LunaProgramTensor *tensor,
                        const char *path, const uint8_t *bytes) {
  LunaText text = {0};
  luna_npy_write(&text, tensor->type, tensor->is_unsigned, tensor->rank,
                 tensor->dims, bytes, (size_t)tensor->bytes);
  int code = luna_write_output(session, path, text.data, text.length);
  luna_text_deinit(&text);
  return code;
}

int luna_outputs_write(LunacSession *session, const LunaProgramTensor *outputs,
                       uint32_t count, uint8_t *const *kept, int64_t cases) {
  const char *folder = session->options->output;
  LunaArena *arena = session->arena;
  if (!folder)
    return 0;
  const char **names = file_names(outputs, count, arena);
  int code = luna_make_folder(session, folder);
  for (int64_t i = 0; code == 0 && i < cases * count; ++i) {
    const char *path =
        luna_arena_printf(arena, "%s/%s", folder, names[i % count]);
    if (cases > 1)
      path = luna_arena_printf(arena, "%s.%" PRId64, path, i / count);
    code = write_tensor(session, &outputs[i % count],
                        luna_arena_printf(arena, "%s.npy", path), kept[i]);
  }
  return code;
}

int luna_trace_write(LunacSession *session, const LunaSimulator *simulator) {
  if (!session->options->trace)
    return 0;
  LunaText text = {0};
  luna_simulator_write_trace(simulator, &text);
  int code = luna_write_output(session, session->options->trace, text.data,
                               text.length);
  luna_text_deinit(&text);
  return code;
}
