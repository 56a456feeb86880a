// Plans of transfers that do not fit are kept with that of those that do, and
// all of them are taken then.
// RUN: mkdir -p %t && cp %luna_machines/machine.xsd %t
// RUN: sed 's/"655360"/"320"/' %luna_machines/venus.xml > %t/small.xml
// RUN: sed 's/^func.func @main(.*)/& attributes {luna.plan_hints = {exact = {}}}/' %S/doc.mlir > %t/new.mlir
// RUN: luna-opt %t/new.mlir --pass-pipeline='builtin.module(func.func(luna-order{steps=0 machine=%t/small.xml},luna-choose-transfers{machine=%t/small.xml}))' 2> %t/err > %t/out.mlir
// RUN: grep -oE '[0-9a-f]{32}"? = array<i8' %t/out.mlir | count 4
// RUN: grep -o 'luna.plan_hints = {exact = {.*}}' %t/out.mlir | sed 's/.*/s|luna.plan_hints = {exact = {}}|&|/;s/}}}/}}/' > %t/sed
// RUN: sed -f %t/sed %t/new.mlir > %t/known.mlir && not cmp %t/new.mlir %t/known.mlir
// RUN: luna-opt %t/known.mlir --pass-pipeline='builtin.module(func.func(luna-order{steps=0 machine=%t/small.xml},luna-choose-transfers{machine=%t/small.xml}))' 2> %t/err | cmp %t/out.mlir -
