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

#ifdef __cplusplus
}
#endif

#endif // LUNA_PORT_H
