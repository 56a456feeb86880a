// The ONNX reader with all its operators.

#include "linger_table.h"
#include "luna/import.h"
#include "onnx_opset.h"
#include "onnx_table.h"

// LUNA's domains hold operators of ONNX too: an embedding is a Gather.
static const LunaOnnxDomain domains[] = {
    {"", &luna_linger_clamps},
    {"", &luna_onnx_operators},
    {"com.microsoft", &luna_onnx_microsoft_operators},
    {"thinker", &luna_linger_operators},
    {"thinker", &luna_linger_clamps},
    {"thinker", &luna_onnx_operators},
    {"linger", &luna_linger_renamed_operators},
    {"linger", &luna_linger_clamps},
    {"linger", &luna_onnx_operators},
};

bool luna_import_onnx(MlirContext context, const void *bytes, size_t size,
                      const LunaImportOptions *options, MlirModule *out,
                      LunaError *error) {
  return luna_onnx_import(context, bytes, size, options, domains,
                          sizeof domains / sizeof *domains, out, error);
}

//===----------------------------------------------------------------------===//
// Documentation
//===----------------------------------------------------------------------===//

static void add_table(LunaText *text, const LunaOnnxTable *table) {
  luna_text_printf(text, "| operator | class | becomes | limits |\n"
                         "|---|---|---|---|\n");
  for (size_t i = 0; i < table->row_count; ++i) {
    const LunaOnnxOp *op = &table->rows[i];
    luna_text_printf(text, "| %s | %s | %s | %s", op->name,
                     luna_shape_class_name(op->shape_class), op->becomes,
                     op->limits ? op->limits : "");
    luna_onnx_add_opset_limits(text, op->name, op->limits != NULL);
    luna_text_printf(text, " |\n");
  }
}

static void add_aliases(LunaText *text, const LunaOnnxTable *table) {
  for (size_t i = 0; i < table->alias_count; ++i)
    luna_text_printf(text, "%s %s (%s)", i ? "," : "", table->aliases[i].name,
                     table->aliases[i].means);
}

void luna_import_onnx_operators(LunaText *text) {
  add_table(text, &luna_onnx_operators);
  luna_text_printf(text,
                   "\nDomain `com.microsoft`, operators of ONNX Runtime:\n\n");
  add_table(text, &luna_onnx_microsoft_operators);
  luna_text_printf(text, "\nDomain `thinker`, LUNA's own arithmetic:\n\n");
  add_table(text, &luna_linger_operators);
  luna_text_printf(text, "\nOf ONNX's own, on what one of these made:\n\n");
  add_table(text, &luna_linger_clamps);
  luna_text_printf(text, "\nDomain `linger`:");
  add_aliases(text, &luna_linger_renamed_operators);
  luna_text_printf(text, ".\n");
}
