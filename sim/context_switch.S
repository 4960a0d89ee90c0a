/* context_switch.S -- the switch between fibers (x86-64 System V).
 *
 *   void sim_fiber_switch(void **save, void *load, uintptr_t thread_pointer);
 *
 * Saves what a callee must preserve (registers, x87 control word, mxcsr) on the current stack and its pointer in
 * *save, makes `thread_pointer` the fs base unless it is 0, and returns on the stack `load`.
 *
 * A new fiber's stack is made to look as if it had switched away in sim_fiber_start, with r12 = function, r13 =
 * argument.
 */
    .text
    .globl sim_fiber_switch
    .hidden sim_fiber_switch
    .type sim_fiber_switch, @function
    .p2align 4
sim_fiber_switch:
    .cfi_startproc
    endbr64
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    subq $8, %rsp
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movq %rsp, (%rdi)
    testq %rdx, %rdx
    jz 1f
    wrfsbase %rdx
1:
    movq %rsi, %rsp
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    addq $8, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .cfi_endproc
    .size sim_fiber_switch, .-sim_fiber_switch

    .globl sim_fiber_start
    .hidden sim_fiber_start
    .type sim_fiber_start, @function
    .p2align 4
sim_fiber_start:
    .cfi_startproc
    .cfi_undefined rip              /* outermost frame: unwinders stop here */
    endbr64
    xorl %ebp, %ebp
    movq %r13, %rdi
    callq *%r12
    ud2
    .cfi_endproc
    .size sim_fiber_start, .-sim_fiber_start
    .section .note.GNU-stack,"",@progbits
