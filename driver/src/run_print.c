#include "run_print.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "luna-c/upstream.h"
#include "luna/literal.h"
#include "luna/values.h"
#include "progress.h"

void luna_print_head(LunacSession *session, const LunacModel *model) {
  luna_print_summary(session, model);
  printf("\n%-32s %4s %10s %10s %10s %10s %10s %10s\n", "path", "case",
         "cycles", "bound", "compute", "host", "stall", "dma");
}

void luna_print_run(LunacSession *session, const char *path, int64_t number,
                    const LunaRunResult *result, bool is_equal) {
  luna_progress_end(session);
  printf("%-32s %4" PRId64 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64
         " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "%s%s\n",
         path, number, result->cycles, result->bound_cycles,
         result->compute_cycles, result->host_cycles, result->stall_cycles,
         result->dma_cycles, is_equal ? "" : "  DIFFERS",
         result->hazard_count > 0 ? "  HAZARDS" : "");
  fflush(stdout);
}

void luna_print_hazards(LunacSession *session, const char *path, int64_t number,
                        const LunaRunResult *result) {
  if (result->hazard_count == 0)
    return;
  luna_progress_end(session);
  uint64_t kept = result->hazard_count < LUNA_HAZARDS_KEPT
                      ? result->hazard_count
                      : LUNA_HAZARDS_KEPT;
  for (uint64_t i = 0; i < kept; ++i) {
    const LunaHazard *hazard = &result->hazards[i];
    fprintf(stderr, "lunac: hazard: %s: %s: %s (path %s, case %" PRId64 ")\n",
            hazard->op, luna_hazard_kind_name(hazard->kind), hazard->message,
            path, number);
  }
  if (kept < result->hazard_count)
    fprintf(stderr, "lunac: hazard: %" PRIu64 " more\n",
            result->hazard_count - kept);
}

void luna_print_difference(LunacSession *session, const char *path,
                           int64_t number, const char *whose,
                           const LunaProgramTensor *tensor,
                           const uint8_t *found, const uint8_t *expected,
                           const LunaDifference *difference) {
  int64_t first = difference->first;
  int64_t elements = tensor->bytes / luna_element_bytes(tensor->type);
  LunaText values = {0};
  luna_element_print(&values, tensor, found, first);
  luna_text_printf(&values, ", %s ", whose);
  luna_element_print(&values, tensor, expected, first);
  luna_progress_end(session);
  fprintf(stderr,
          "lunac: error: output '%s' differs in %" PRId64 " of %" PRId64
          " elements, first at %" PRId64 ": %s; by %.6g at most, at %" PRId64
          " (path %s, case %" PRId64 ")\n",
          tensor->name, difference->count, elements, first, values.data,
          difference->largest, difference->largest_at, path, number);
  luna_text_deinit(&values);
}

static uint64_t print_wrong_outputs(LunacSession *session, const char *path,
                                    int64_t number,
                                    const LunaReference *reference) {
  const LunaLiteral *literal = reference->literal;
  uint64_t wrong = 0;
  for (uint32_t i = 0; literal && i < reference->result_count; ++i) {
    const LunaLiteralOutput *output = &literal->outputs[i];
    if (output->wrong == 0)
      continue;
    ++wrong;
    luna_progress_end(session);
    fprintf(stderr,
            "lunac: error: result %" PRIu32 " has %" PRIu64
            " values that the model does not give, first at %" PRId64
            ": %.9g, literal reference %.9g (path %s, case %" PRId64 ")\n",
            i, output->wrong, output->first, output->found, output->expected,
            path, number);
  }
  return wrong;
}

uint64_t luna_print_wrong_quantize(LunacSession *session, const char *path,
                                   int64_t number,
                                   const LunaReference *reference) {
  const LunaLiteral *literal = reference->literal;
  uint64_t wrong = 0;
  for (uint32_t i = 0; literal && i < literal->count; ++i) {
    const LunaQuantizerTally *tally = &literal->tallies[i];
    if (tally->wrong == 0)
      continue;
    ++wrong;
    luna_progress_end(session);
    fprintf(stderr,
            "lunac: error: luna.quantize of '%s' gives %" PRIu64
            " values that the model does not, first at %" PRId64 ": %" PRId64
            ", in binary64 %.9g (path %s, case %" PRId64 ")\n",
            literal->quantizers[i].name, tally->wrong, tally->first,
            tally->found, tally->expected, path, number);
  }
  return wrong + print_wrong_outputs(session, path, number, reference);
}

//===- What the reference shares ------------------------------------------===//

static bool is_tflite(const char *path) {
  static const char ending[] = ".tflite";
  size_t length = strlen(path), end = sizeof ending - 1;
  return length > end && strcmp(path + length - end, ending) == 0;
}

static void print_literal(const LunaReference *reference) {
  const LunaLiteral *literal = reference->literal;
  if (!literal) {
    printf("literal reference: none for a model of several sizes: 0 of %" PRIu32
           " luna.quantize compared\n",
           reference->quantizer_count);
    return;
  }
  LunaQuantizerTally sum = luna_literal_sum(literal);
  printf("literal reference: %" PRIu32 " of %" PRIu32
         " luna.quantize and %" PRIu32
         " results compared in binary64; of %" PRIu64 " values %" PRIu64
         " at ties",
         luna_literal_compared(literal), reference->quantizer_count,
         reference->result_count, sum.values, sum.ties);
  if (sum.single > 0)
    printf(", %" PRIu64 " as binary32 sums", sum.single);
  if (sum.biases > 0)
    printf(", %" PRIu64 " by a rounded bias", sum.biases);
  if (literal->strays > 0)
    printf("; %" PRIu64 " executions left out", literal->strays);
  printf("\n");
}

void luna_print_reference(const LunacSession *session,
                          const LunaReference *reference) {
  if (reference->is_plan) {
    printf("the reference is the plan: the model that it was made from is not "
           "compared\n");
    return;
  }
  LunaText names = {0};
  luna_upstream_shared_passes(&names);
  printf("shared with that path: the reader, %s\n", names.data);
  luna_text_deinit(&names);
  if (is_tflite(session->options->model))
    printf("quantisation is the reader's: recorded results, "
           "bench/random-tflite and a test of each rounding rule judge it\n");
  if (reference->quantizer_count > 0 || reference->literal)
    print_literal(reference);
}

//===- The end ------------------------------------------------------------===//

// How many paths of how many were forced.
static void print_coverage(const LunaPlanRecord *plan,
                           const LunaReportRuns *runs) {
  LunaText count = {0};
  luna_record_print_path_count(&count, plan);
  printf("; %" PRIu64 " of %s paths", runs->forced_paths, count.data);
  luna_text_deinit(&count);
  if (plan->impossible_path_count > 0)
    printf(", %" PRIu32 " impossible ones left out",
           plan->impossible_path_count);
}

void luna_print_end(LunacSession *session, const LunaPlanRecord *plan,
                    const LunaReportRuns *runs, uint64_t expected_outputs) {
  luna_progress_end(session);
  printf("\n%" PRIu64 " hazards", runs->hazard_count);
  if (runs->mismatches > 0)
    printf("; %" PRIu64 " outputs differ", runs->mismatches);
  else if (runs->is_checked)
    printf("; %" PRIu64 " runs equal the upstream CPU path bit for bit",
           runs->checked_runs);
  if (runs->mismatches == 0 && expected_outputs > 0)
    printf("; %" PRIu64 " outputs are as expected", expected_outputs);
  if (runs->forced_paths > 0)
    print_coverage(plan, runs);
  printf("\n");
}
