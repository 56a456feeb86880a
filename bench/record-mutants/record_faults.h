#ifndef LUNA_RECORD_FAULTS_H
#define LUNA_RECORD_FAULTS_H

// Faults in the record of a product (luna/launch_record.h): in what the core
// reads of it, in its launches and borders, and in the vector calls behind
// them.

#include <stddef.h>

#include "../../passes/tools/chain_faults.h"

typedef enum RecordFault {
  /// The kinds of luna/chain_faults.h come first.
  RECORD_ZERO_POINT = LUNA_CHAIN_FAULT_COUNT,
  RECORD_REQUANT,
  RECORD_STRIDES,
  LAUNCH_DROPPED,
  LAUNCHES_EXCHANGED,
  LAUNCH_CHANNEL,
  LAUNCH_CHANNELS,
  LAUNCH_PLACE,
  LAUNCH_FLAG,
  LAUNCH_WINDOW,
  BORDER_MOVED,
  RECORD_FAULT_COUNT
} RecordFault;

/// Returns the name of a kind: "strides-exchanged".
const char *record_fault_name(RecordFault kind);

/// Returns the size of a record with all that follows it.
size_t record_bytes(const LunaProductRecord *record);

/// Puts fault `index` of a kind into a record. Returns false, with the record
/// as it was, if it has no such fault; from record_fault_limit on none has.
bool record_fault_put(RecordFault kind, int32_t index,
                      LunaProductRecord *record);
int32_t record_fault_limit(RecordFault kind, const LunaProductRecord *record);

#endif // LUNA_RECORD_FAULTS_H
