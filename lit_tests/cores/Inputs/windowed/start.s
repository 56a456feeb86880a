# Entry of a program of the windowed ABI under qemu-xtensa: the callee's a2 is
# a6 here, where the kernel takes the exit code.
  .section .literal, "ax"
  .p2align 2
.Lmain:
  .long main
  .section .text._start, "ax"
  .p2align 2
  .globl _start
_start:
  movi a2, -16
  and a1, a1, a2
  l32r a4, .Lmain
  callx4 a4
  movi a2, 119
  syscall
