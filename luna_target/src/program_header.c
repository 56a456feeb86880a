#include "luna/program_header.h"

#include <ctype.h>
#include <inttypes.h>

// A header under construction.
typedef struct Header {
  const LunaProgramInfo *program;
  const char *macros; // what their names start with
  LunaText *text;
} Header;

static void define(const Header *header, const char *name, int64_t value) {
  luna_text_printf(header->text, "#define %s_%s %" PRId64 "\n", header->macros,
                   name, value);
}

static const char *macros_of(const char *name, LunaArena *arena) {
  char *macros = luna_arena_printf(arena, "LUNA_MODEL_%s", name);
  for (char *c = macros; *c; ++c)
    *c = (char)toupper((unsigned char)*c);
  return macros;
}

//===- Tensors ------------------------------------------------------------===//

static const char *type_name(int32_t type) {
  static const char *const names[] = {"i1",  "i8",  "i16", "i32", "i64",
                                      "f32", "f64", "f16", "bf16"};
  return names[type];
}

// A name may hold anything; a comment ends with its line.
static void add_comment(const Header *header, const char *what, uint32_t index,
                        const LunaProgramTensor *tensor) {
  LunaText *text = header->text;
  luna_text_printf(text, "\n// %s %" PRIu32 ", '", what, index);
  for (const char *c = tensor->name; *c; ++c)
    luna_text_append(text, (unsigned char)*c < ' ' || *c == '\\' ? " " : c, 1);
  luna_text_printf(text, "': %s%s", tensor->is_unsigned ? "u" : "",
                   type_name(tensor->type));
  for (int32_t i = 0; i < tensor->rank; ++i)
    luna_text_printf(text, "%s%" PRId64, i == 0 ? " [" : ", ", tensor->dims[i]);
  luna_text_printf(text, "%s\n", tensor->rank > 0 ? "]" : "");
}

static void add_tensor(const Header *header, const char *macro, uint32_t index,
                       const LunaProgramTensor *tensor) {
  LunaText *text = header->text;
  const LunaProgramBuffer *buffer =
      luna_program_buffer(header->program, tensor->buffer);
  luna_text_printf(text, "#define %s_%s%" PRIu32 "_BYTES %" PRId64 "\n",
                   header->macros, macro, index, tensor->bytes);
  if (tensor->scale != 0)
    luna_text_printf(text,
                     "#define %s_%s%" PRIu32 "_SCALE %.9ef\n"
                     "#define %s_%s%" PRIu32 "_ZERO_POINT %" PRId32 "\n",
                     header->macros, macro, index, (double)tensor->scale,
                     header->macros, macro, index, tensor->zero_point);
  if (buffer && buffer->memory == LUNA_PROGRAM_ARENA)
    luna_text_printf(text,
                     "#define %s_%s%" PRIu32 "_ARENA_OFFSET %" PRId64 "\n",
                     header->macros, macro, index, buffer->offset_bytes);
}

static void add_tensors(const Header *header) {
  const LunaProgramInfo *program = header->program;
  for (uint32_t i = 0; i < program->input_count; ++i) {
    add_comment(header, "Input", i, &program->inputs[i]);
    add_tensor(header, "INPUT", i, &program->inputs[i]);
  }
  for (uint32_t i = 0; i < program->output_count; ++i) {
    add_comment(header, "Output", i, &program->outputs[i]);
    add_tensor(header, "OUTPUT", i, &program->outputs[i]);
  }
}

//===- Functions ----------------------------------------------------------===//

static void add_functions(const Header *header) {
  const LunaProgramInfo *program = header->program;
  const char *name = program->name;
  LunaText *text = header->text;
  luna_text_printf(text, "\nvoid " LUNA_PROGRAM_SYMBOL_PREFIX "%s(", name);
  for (uint32_t i = 0; i < program->input_count; ++i)
    luna_text_printf(text, "const void *input%" PRIu32 ", ", i);
  for (uint32_t i = 0; i < program->output_count; ++i)
    luna_text_printf(text, "void *output%" PRIu32 ", ", i);
  luna_text_printf(
      text,
      "void *arena, void *psram, void *state);\n"
      "void " LUNA_PROGRAM_SYMBOL_PREFIX "%s_init(void *psram, void *state);\n"
      "void " LUNA_PROGRAM_SYMBOL_PREFIX "%s_reset(void *state);\n",
      name, name);
  if (program->version_count > 0)
    luna_text_printf(text,
                     "int32_t " LUNA_PROGRAM_SYMBOL_PREFIX
                     "%s_bind(const int32_t *dims, int32_t *output_dims);\n",
                     name);
  luna_text_printf(
      text,
      "\nextern const int32_t " LUNA_PROGRAM_SYMBOL_PREFIX "%s_program[];\n"
      "extern const uint8_t " LUNA_PROGRAM_SYMBOL_PREFIX "%s_weights[];\n"
      "// A LunaMachine, for the simulator.\n"
      "extern const uint8_t " LUNA_PROGRAM_SYMBOL_PREFIX
      "%s" LUNA_PROGRAM_MACHINE_SUFFIX "[];\n",
      name, name, name);
}

//===- The header ---------------------------------------------------------===//

static void add_memories(const Header *header, const LunaMachine *machine) {
  const LunaProgramInfo *program = header->program;
  luna_text_printf(header->text,
                   "// Memories, all aligned to the alignment. Weights that "
                   "are linked into PSRAM may\n// stay there: pass their "
                   "address as `psram`, with the scratch after them.\n");
  define(header, "ALIGNMENT_BYTES", (int64_t)machine->alignment_bytes);
  define(header, "ARENA_BYTES", program->arena_bytes);
  define(header, "WEIGHT_BYTES", program->weight_bytes);
  define(header, "SCRATCH_BYTES", program->psram_scratch_bytes);
  define(header, "PSRAM_BYTES",
         program->weight_bytes + program->psram_scratch_bytes);
  define(header, "STATE_BYTES", program->state_bytes);
}

void luna_program_header(const LunaProgramInfo *program,
                         const LunaMachine *machine, LunaText *text) {
  LunaArena arena = {0};
  const Header header = {
      .program = program,
      .macros = macros_of(program->name, &arena),
      .text = text,
  };
  luna_text_printf(text,
                   "// Model '%s' for machine '%s', written by lunac. "
                   "luna/program.h describes it.\n"
                   "#ifndef %s_H\n#define %s_H\n\n#include <stdint.h>\n\n"
                   "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n",
                   program->name, machine->name, header.macros, header.macros);
  add_memories(&header, machine);
  add_tensors(&header);
  add_functions(&header);
  luna_text_printf(text, "\n#ifdef __cplusplus\n}\n#endif\n\n#endif // %s_H\n",
                   header.macros);
  luna_arena_destroy(&arena);
}
