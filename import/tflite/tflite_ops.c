#include "tflite_ops.h"

#include "luna/import.h"

enum {
  F32 = LUNA_TYPES_F32,
  I8 = LUNA_TYPES_I8,
  I16 = LUNA_TYPES_I16,
  I32 = LUNA_TYPES_I32,
  BOOL = LUNA_TYPES_BOOL,
  I64 = LUNA_TYPES_I64,
  RESOURCE = LUNA_TYPES_RESOURCE,
  MOVED = F32 | I8 | I16 | I32 | BOOL,
  ANY = MOVED | I64 | RESOURCE,
  MANY = LUNA_TFLITE_ANY_COUNT,
};

static const LunaTfliteOpDesc ops[] = {
#define OP_OF(class, code, name, takes, options, least, most, outputs, types,  \
              handler, becomes)                                                \
  {code,                                                                       \
   #name,                                                                      \
   options,                                                                    \
   least,                                                                      \
   most,                                                                       \
   outputs,                                                                    \
   types,                                                                      \
   LUNA_##class,                                                               \
   luna_tflite_op_##handler,                                                   \
   becomes,                                                                    \
   LUNA_TAKES_##takes},
#include "tflite_ops.def"
};

enum { OP_COUNT = sizeof ops / sizeof *ops };

const LunaTfliteOps luna_tflite_operators = {ops, OP_COUNT};

//===----------------------------------------------------------------------===//
// Documentation
//===----------------------------------------------------------------------===//

static void append_types(LunaText *text, unsigned types) {
  static const struct {
    unsigned bit;
    const char *name;
  } names[] = {{F32, "float32"}, {I8, "int8, uint8"}, {I16, "int16"},
               {I32, "int32"},   {BOOL, "bool"},      {I64, "int64"}};
  const char *separator = "";
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (!(types & names[i].bit) || (types & ANY) == ANY)
      continue;
    luna_text_printf(text, "%s%s", separator, names[i].name);
    separator = ", ";
  }
  if ((types & ANY) == ANY || types == RESOURCE)
    luna_text_printf(text, "any");
}

void luna_import_tflite_operators(LunaText *text) {
  luna_text_printf(text, "| operator | class | element types | becomes |\n"
                         "|---|---|---|---|\n");
  for (int i = 0; i < OP_COUNT; ++i) {
    luna_text_printf(text, "| %s | %s | ", ops[i].name,
                     luna_shape_class_name(ops[i].shape_class));
    append_types(text, ops[i].types);
    luna_text_printf(text, " | %s |\n", ops[i].becomes);
  }
}
