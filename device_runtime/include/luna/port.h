#ifndef LUNA_PORT_H
#define LUNA_PORT_H

// What the ports over a vendor's library (device_runtime/ports) need of a
// firmware.

#ifdef __cplusplus
extern "C" {
#endif

/// Ends the model: a launch is no call of the vendor's library ("a launch that
/// is no call"), or the library refused a call, which `why` names. Does not
/// return.
void luna_port_fault(const char *why);

/// Prepares the launches of a product (LunaProductRecord) in zeroed memory:
/// LUNA_PORT_PRODUCT_BYTES, then a block for each, which the library's packer
/// makes. The _init of a model calls this, which was compiled for a port whose
/// library takes blocks; what was not prepared is packed at each call.
void luna_rt_prepare(const void *record, void *memory);

/// Says that the transfer which the vendor's library has in flight has ended,
/// so that the next one starts. A firmware calls this at the end of the
/// callback of the library's DMA channel (dma_channel_reserve); without that,
/// transfers start where the model awaits the ones before them.
void luna_port_transfer_ended(void);

#ifdef __cplusplus
}
#endif

#endif // LUNA_PORT_H
