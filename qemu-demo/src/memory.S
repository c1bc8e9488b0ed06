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
    shr rcx, 3
    rep movsq
    mov ecx, edx
    and ecx, 7
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
    movzx eax, sil
    mov rcx, 0x0101010101010101
    imul rax, rcx
    mov rcx, rdx
    shr rcx, 3
    rep stosq
    mov ecx, edx
    and ecx, 7
    rep stosb
    mov rax, r8
    ret
.size memset, . - memset

function memcmp
    xor ecx, ecx
1:  lea r9, [rcx + 8]
    cmp r9, rdx
    ja 2f
    mov r8, [rdi + rcx]
    cmp r8, [rsi + rcx]
    jne 2f
    mov rcx, r9
    jmp 1b
2:  xor eax, eax
3:  cmp rcx, rdx
    je 4f
    movzx eax, byte ptr [rdi + rcx]
    movzx r8d, byte ptr [rsi + rcx]
    inc rcx
    sub eax, r8d
    je 3b
4:  ret
.size memcmp, . - memcmp

function bcmp
    jmp memcmp
.size bcmp, . - bcmp
