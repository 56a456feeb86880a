#include "operator_class.h"

#include <string.h>

// Those whose shape depends on values do so by an input, not an attribute.
static const LunaOperatorClass classes[] = {
    {"Constant", "ISDO"},
    {"EyeLike", "ISDO"},
    {"Shape", "ISDO"},
    {"Size", "ISDO"},
    {"BROADCAST_ARGS", "ISDO"},
    {"SHAPE", "ISDO"},
    {"ZEROS_LIKE", "ISDO"},
    {"BlackmanWindow", "ISVDOS"},
    {"ConstantOfShape", "ISVDOS"},
    {"DFT", "ISVDOS"},
    {"Expand", "ISVDOS"},
    {"HammingWindow", "ISVDOS"},
    {"HannWindow", "ISVDOS"},
    {"MelWeightMatrix", "ISVDOS"},
    {"OneHot", "ISVDOS"},
    {"Pad", "ISVDOS"},
    {"Range", "ISVDOS"},
    {"ReduceL1", "ISVDOS"},
    {"ReduceL2", "ISVDOS"},
    {"ReduceLogSum", "ISVDOS"},
    {"ReduceLogSumExp", "ISVDOS"},
    {"ReduceMax", "ISVDOS"},
    {"ReduceMean", "ISVDOS"},
    {"ReduceMin", "ISVDOS"},
    {"ReduceProd", "ISVDOS"},
    {"ReduceSum", "ISVDOS"},
    {"ReduceSumSquare", "ISVDOS"},
    {"Reshape", "ISVDOS"},
    {"Resize", "ISVDOS"},
    {"STFT", "ISVDOS"},
    {"Slice", "ISVDOS"},
    {"Split", "ISVDOS"},
    {"Squeeze", "ISVDOS"},
    {"Tile", "ISVDOS"},
    {"TopK", "ISVDOS"},
    {"Unsqueeze", "ISVDOS"},
    {"Upsample", "ISVDOS"},
    {"ARG_MAX", "ISVDOS"},
    {"ARG_MIN", "ISVDOS"},
    {"BATCH_TO_SPACE_ND", "ISVDOS"},
    {"BROADCAST_TO", "ISVDOS"},
    {"EXPAND_DIMS", "ISVDOS"},
    {"FILL", "ISVDOS"},
    {"MEAN", "ISVDOS"},
    {"MIRROR_PAD", "ISVDOS"},
    {"PAD", "ISVDOS"},
    {"PADV2", "ISVDOS"},
    {"REDUCE_MAX", "ISVDOS"},
    {"REDUCE_MIN", "ISVDOS"},
    {"RESHAPE", "ISVDOS"},
    {"RESIZE_BILINEAR", "ISVDOS"},
    {"RESIZE_NEAREST_NEIGHBOR", "ISVDOS"},
    {"SLICE", "ISVDOS"},
    {"SPACE_TO_BATCH_ND", "ISVDOS"},
    {"SPLIT", "ISVDOS"},
    {"SPLIT_V", "ISVDOS"},
    {"STRIDED_SLICE", "ISVDOS"},
    {"SUM", "ISVDOS"},
    {"TILE", "ISVDOS"},
    {"TRANSPOSE", "ISVDOS"},
    {"TRANSPOSE_CONV", "ISVDOS"},
    {"If", "EDO"},
    {"Loop", "EDO"},
    {"NonZero", "EDO"},
    {"CALL_ONCE", "EDO"},
    {"IF", "EDO"},
    {"READ_VARIABLE", "EDO"},
    {"WHILE", "EDO"},
};

enum { CLASS_COUNT = sizeof classes / sizeof *classes };

const char *luna_operator_class(const char *name) {
  for (size_t i = 0; i < CLASS_COUNT; ++i)
    if (strcmp(classes[i].name, name) == 0)
      return classes[i].shape_class;
  return "ISDOS";
}

const LunaOperatorClass *luna_operator_classes(size_t *count) {
  *count = CLASS_COUNT;
  return classes;
}
