#include "luna/slots.h"

#include "luna/chain_cost.h"
#include "luna/launch_record.h"
#include "luna/tiles.h"

int32_t luna_slot_bytes(const LunaTiling *tiling) {
  if (luna_slots_are_joined(tiling))
    return 4 * tiling->out_h * tiling->out_w * tiling->out_c;
  return tiling->slots > 1 ? tiling->scratch_bytes / tiling->slots
                           : tiling->scratch_bytes;
}

// Two slots that take turns; what a tile needs is checked by launch.
static bool check_turns(const LunaTiling *tiling, LunaError *error) {
  if (tiling->slots >= 0 && tiling->slots <= 2 &&
      (tiling->slots < 2 || luna_slot_bytes(tiling) % 4 == 0))
    return true;
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "%d slots in %d bytes of scratch, allowed are 1 and 2 "
                        "of whole sums",
                        tiling->slots, tiling->scratch_bytes);
}

// Tiles of consecutive output channels, one launch each.
static bool are_planes(const LunaConv2dDesc *desc) {
  const LunaTiling *tiling = &desc->tiling;
  const int32_t *out = desc->output.dims;
  return out[0] == 1 && tiling->out_h == out[1] && tiling->out_w == out[2] &&
         tiling->out_c > 0 && luna_tensor_has_planes(&desc->output) &&
         (desc->kind == LUNA_CONV_NORMAL ||
          (desc->kind == LUNA_CONV_DEPTHWISE &&
           desc->input.dims[3] == out[3])) &&
         !luna_tiles_conv2d_need_sums(desc);
}

bool luna_slots_check_conv2d(const LunaConv2dDesc *desc, LunaError *error) {
  const LunaTiling *tiling = &desc->tiling;
  LunaVectorChain chain;
  if (!luna_slots_are_joined(tiling))
    return check_turns(tiling, error);
  if (!are_planes(desc))
    return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                          "calls finish %d tiles at once that are not planes "
                          "of one launch each",
                          tiling->slots);
  luna_finish_of(tiling->finish, &desc->requant, desc->output.type, &chain);
  int64_t channels = (int64_t)tiling->slots * tiling->out_c;
  if (channels > desc->output.dims[3])
    channels = desc->output.dims[3];
  int64_t bytes = luna_chain_scratch_bytes(
      &chain, channels * tiling->out_h * tiling->out_w, channels);
  if (bytes <= tiling->scratch_bytes)
    return true;
  return luna_error_set(error, LUNA_ERROR_CAPACITY, LUNA_ERROR_NO_ITEM,
                        "%d tiles need %lld bytes of scratch, the operator has "
                        "%d",
                        tiling->slots, (long long)bytes, tiling->scratch_bytes);
}

bool luna_slots_check_matmul(const LunaMatmulDesc *desc, LunaError *error) {
  const LunaTiling *tiling = &desc->tiling;
  if (!luna_slots_are_joined(tiling))
    return check_turns(tiling, error);
  return luna_error_set(error, LUNA_ERROR_INPUT, LUNA_ERROR_NO_ITEM,
                        "calls finish %d tiles of a matrix product at once",
                        tiling->slots);
}
