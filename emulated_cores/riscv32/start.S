# Entry of a program under qemu-riscv32, and its system calls.
  .globl _start
_start:
  .option push
  .option norelax
  la gp, __global_pointer$
  .option pop
  la tp, luna_thread_data
  andi sp, sp, -16
  call main
  call luna_system_exit

  .globl luna_system_call
luna_system_call:
  mv a7, a0
  mv a0, a1
  mv a1, a2
  mv a2, a3
  ecall
  ret
