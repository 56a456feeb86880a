#ifndef LUNA_SIM_JUDGE_H
#define LUNA_SIM_JUDGE_H

// What is wrong with a descriptor: each returns a message, or NULL for a sound
// one.

#include "luna/runtime.h"

const char *luna_sim_judge_conv2d(const LunaConv2dDesc *desc, const void *bias,
                                  const void *table);
const char *luna_sim_judge_matmul(const LunaMatmulDesc *desc, const void *bias,
                                  const void *table);
const char *luna_sim_judge_eltwise(const LunaEltwiseDesc *desc);
const char *luna_sim_judge_pool(const LunaPoolDesc *desc);
const char *luna_sim_judge_table(const LunaTableDesc *desc);
const char *luna_sim_judge_copy(const LunaCopyDesc *desc);
const char *luna_sim_judge_fill(const LunaFillDesc *desc);

#endif // LUNA_SIM_JUDGE_H
