// A machine is loaded before the pipeline runs: a bad one is one error, however
// many functions there are and however many passes name it.
//
// RUN: not luna-opt %s --pass-pipeline='builtin.module(func.func(luna-tile-operators{machine=pluto},luna-order{steps=0 machine=pluto},luna-plan-memory{machine=pluto}))' 2> %t.unknown
// RUN: FileCheck %s --check-prefix=UNKNOWN --input-file=%t.unknown
// UNKNOWN-NOT: error
// UNKNOWN: error: unknown machine 'pluto', known are
// UNKNOWN-NOT: error
//
// RUN: sed 's/<clock_hz value="[0-9]*"/<clock_hz value="fast"/' %luna_machines/venus.xml > %t.xml
// RUN: not luna-opt %s --pass-pipeline='builtin.module(luna-compile{machine=%t.xml})' 2> %t.bad
// RUN: FileCheck %s --check-prefix=BAD --input-file=%t.bad
// BAD-NOT: error
// BAD: error: {{.*}}.xml:{{[0-9]+}}: {{.*}}clock_hz
// BAD-NOT: error

func.func @first() {
  return
}

func.func @second() {
  return
}
