// PVH entry: 32-bit protected mode without paging, ebx = physical address of the start info.
// Maps the first 8 MiB twice, at 0 and at KERNEL_BASE, goes to long mode and into the higher half.

.set KERNEL_BASE, 0xffffffff80000000
.set PRESENT_WRITABLE, 3
.set MAPPED_PAGES, 2048

// Offsets into PAGE_TABLES, as in memory.rs.
.set ROOT, 0x0000
.set LOW, 0x1000
.set HIGH, 0x2000
.set DIRECTORY, 0x3000
.set PAGES, 0x4000

.section .note.pvh, "a", @note
    .p2align 2
    .long 4, 4, 18 // name length, description length, XEN_ELFNOTE_PHYS32_ENTRY
    .asciz "Xen"
    .long pvh_start

.section .boot, "ax", @progbits
.code32
.globl pvh_start
.type pvh_start, @function
pvh_start:
    cli
    cld
    mov esi, ebx

    // The tables are in .bss, which the loader cleared.
    mov edi, offset PAGE_TABLES - KERNEL_BASE
    lea eax, [edi + LOW + PRESENT_WRITABLE]
    mov [edi + ROOT], eax
    lea eax, [edi + HIGH + PRESENT_WRITABLE]
    mov [edi + ROOT + 511 * 8], eax
    lea eax, [edi + DIRECTORY + PRESENT_WRITABLE]
    mov [edi + LOW], eax
    mov [edi + HIGH + 510 * 8], eax
    lea eax, [edi + PAGES + PRESENT_WRITABLE]
    xor ecx, ecx
1:  mov [edi + DIRECTORY + ecx * 8], eax
    add eax, 0x1000
    inc ecx
    cmp ecx, MAPPED_PAGES / 512
    jb 1b
    mov eax, PRESENT_WRITABLE
    xor ecx, ecx
2:  mov [edi + PAGES + ecx * 8], eax
    add eax, 0x1000
    inc ecx
    cmp ecx, MAPPED_PAGES
    jb 2b

    mov cr3, edi
    mov eax, cr4
    or eax, 0x620 // PAE, OSFXSR, OSXMMEXCPT
    mov cr4, eax
    mov ecx, 0xc0000080 // EFER
    rdmsr
    or eax, 0x900 // LME, NXE
    wrmsr
    mov eax, cr0
    and eax, 0xfffffff3 // EM, TS off
    or eax, 0x80010003 // PG, WP, MP, PE
    mov cr0, eax
    lgdt [boot_gdt_pointer]
    .byte 0xea // far jump, which Intel syntax cannot spell
    .long 3f
    .word 8
.code64
3:  xor eax, eax
    mov ds, eax
    mov es, eax
    mov ss, eax
    mov fs, eax
    mov gs, eax
    movabs rax, offset start_high
    jmp rax
.size pvh_start, . - pvh_start

.p2align 3
boot_gdt:
    .quad 0
    .quad 0x00209a0000000000 // 64-bit code
boot_gdt_pointer:
    .word 15
    .long boot_gdt

.text
.globl start_high
.type start_high, @function
start_high:
    lea rsp, [rip + BOOT_STACK + {stack_bytes}]
    xor ebp, ebp // ends every chain
    mov edi, esi
    call kernel_main
    ud2
.size start_high, . - start_high
