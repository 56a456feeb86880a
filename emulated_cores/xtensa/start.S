# Entry of a program under qemu-xtensa, and its system calls.
  .section .text._start, "ax"
  .literal_position
  .align 4
  .globl _start
_start:
  movi a2, -16
  and a1, a1, a2
  movi a0, main
  callx0 a0
  movi a0, luna_system_exit
  callx0 a0

# The kernel takes the number in a2, arguments in a6, a3, a4.
  .section .text.luna_system_call, "ax"
  .align 4
  .globl luna_system_call
luna_system_call:
  mov a6, a3
  mov a3, a4
  mov a4, a5
  syscall
  ret
