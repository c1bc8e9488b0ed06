// What the compiler calls, where no compiler_builtins brings it. Weak: one that is linked in wins.
.text
.macro function name
.p2align 4
.weak \name
.type \name, @function
\name:
.endm

function memcpy
    mov rax, rdi
    mov rcx, rdx
    rep movsb
    ret
.size memcpy, . - memcpy

function memmove
    mov rax, rdi
    mov rcx, rdx
    mov r8, rdi
    sub r8, rsi
    cmp r8, rdx
    jb 1f
    rep movsb
    ret
1:  lea rdi, [rdi + rdx - 1]
    lea rsi, [rsi + rdx - 1]
    std
    rep movsb
    cld
    ret
.size memmove, . - memmove

function memset
    mov r8, rdi
    mov eax, esi
    mov rcx, rdx
    rep stosb
    mov rax, r8
    ret
.size memset, . - memset

function memcmp
    xor eax, eax
    xor ecx, ecx
1:  cmp rcx, rdx
    je 2f
    movzx eax, byte ptr [rdi + rcx]
    movzx r8d, byte ptr [rsi + rcx]
    inc rcx
    sub eax, r8d
    je 1b
2:  ret
.size memcmp, . - memcmp

function bcmp
    jmp memcmp
.size bcmp, . - bcmp
