// One stub of 16 bytes for each exception, and what they have in common.
// The frame is in the order that kallsyms_core::backtrace::x86_64 documents.

.text
.p2align 4
.globl trap_stubs
.type trap_stubs, @function
trap_stubs:
.irp vector, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
    .p2align 4
    // These push an error code themselves.
    .if !((\vector == 8) || (\vector >= 10 && \vector <= 14) || (\vector == 17) || (\vector == 21) || (\vector == 29) || (\vector == 30))
    push 0
    .endif
    push rdi
    mov edi, \vector
    jmp trap_common
.endr
.size trap_stubs, . - trap_stubs

.p2align 4
.type trap_common, @function
trap_common:
    push rsi
    push rdx
    push rcx
    push rax
    push r8
    push r9
    push r10
    push r11
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    mov rsi, rsp
    lea rbp, [rsp + 1] // marks the trap frame for the walker
    cld
    sub rsp, 520 // the frame is 168 bytes: this aligns the stack to 16
    fxsave64 [rsp]
    call trap_entry
    fxrstor64 [rsp]
    add rsp, 520
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    pop r11
    pop r10
    pop r9
    pop r8
    pop rax
    pop rcx
    pop rdx
    pop rsi
    pop rdi
    add rsp, 8
    iretq
.size trap_common, . - trap_common
