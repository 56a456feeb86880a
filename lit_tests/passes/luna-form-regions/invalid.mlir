// RUN: luna-opt %s --verify-diagnostics --pass-pipeline='builtin.module(func.func(luna-form-regions))'

// expected-error @below {{unstructured control flow; lift it with lift-cf-to-scf first}}
func.func @unstructured(%c: i1) {
  cf.cond_br %c, ^a, ^b
^a:
  cf.br ^b
^b:
  return
}
