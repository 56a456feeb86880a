#ifndef CHANNEL_SCALES_H
#define CHANNEL_SCALES_H

// The multipliers and shifts of channels, which are data of a program.

#include "globals.h"
#include "luna/units.h"

/// Returns true if the multipliers and shifts of the channels of a product, if
/// there are any, are constants that the unit's calls take
/// (luna_finish_takes_channels). `desc` is that of `op`, a convolution or
/// matrix product.
bool luna_takes_channels(const LunaGlobals *globals, MlirOperation op,
                         const LunaUnitDesc *desc);

#endif // CHANNEL_SCALES_H
