// The ONNX reader with all its operators.

#include "linger_table.h"
#include "luna/import.h"
#include "onnx_opset.h"
#include "onnx_table.h"

// LUNA's domains hold operators of ONNX too: an embedding is a Gather.
static const OnnxDomain domains[] = {
    {"", &linger_clamps},
    {"", &onnx_operators},
    {"com.microsoft", &onnx_microsoft_operators},
    {"thinker", &linger_operators},
    {"thinker", &linger_clamps},
    {"thinker", &onnx_operators},
    {"linger", &linger_renamed_operators},
    {"linger", &linger_clamps},
    {"linger", &onnx_operators},
};

bool luna_import_onnx(MlirContext context, const void *bytes, size_t size,
                      const LunaImportOptions *options, MlirModule *out,
                      LunaError *error) {
  return onnx_import(context, bytes, size, options, domains,
                     sizeof domains / sizeof *domains, out, error);
}

//===----------------------------------------------------------------------===//
// Documentation
//===----------------------------------------------------------------------===//

static void add_table(LunaText *text, const OnnxTable *table) {
  luna_text_printf(text, "| operator | becomes | limits |\n|---|---|---|\n");
  for (size_t i = 0; i < table->row_count; ++i) {
    const OnnxOp *op = &table->rows[i];
    luna_text_printf(text, "| %s | %s | %s", op->name, op->becomes,
                     op->limits ? op->limits : "");
    onnx_add_opset_limits(text, op->name, op->limits != NULL);
    luna_text_printf(text, " |\n");
  }
}

static void add_aliases(LunaText *text, const OnnxTable *table) {
  for (size_t i = 0; i < table->alias_count; ++i)
    luna_text_printf(text, "%s %s (%s)", i ? "," : "", table->aliases[i].name,
                     table->aliases[i].means);
}

void luna_import_onnx_operators(LunaText *text) {
  add_table(text, &onnx_operators);
  luna_text_printf(text, "\nDomain `com.microsoft`, quantised operators of "
                         "ONNX Runtime:\n\n");
  add_table(text, &onnx_microsoft_operators);
  luna_text_printf(text, "\nDomain `thinker`, LUNA's own arithmetic:\n\n");
  add_table(text, &linger_operators);
  luna_text_printf(text, "\nOf ONNX's own, on what one of these made:\n\n");
  add_table(text, &linger_clamps);
  luna_text_printf(text, "\nDomain `linger`:");
  add_aliases(text, &linger_renamed_operators);
  luna_text_printf(text, ".\n");
}
