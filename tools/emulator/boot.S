// SPDX-License-Identifier: Apache-2.0
// All the firmware that the emulated machine has: from the reset vector to the entry of a Linux kernel that lies in memory
// already.  Linked at 0xF0000, 64 KiB long.  Linux asks for: 64-bit mode, memory mapped as it is, 0x10 and 0x18 in the segment
// registers, %rsi pointing to the boot parameters.  (Documentation/x86/boot.rst, "64-bit Boot Protocol")

#define KERNEL 0x1000000 // tools/emulate knows these two
#define PARAMETERS 0x4000000
#define TABLES 0x1000 // three pages that map the first gigabyte in steps of 2 MiB
#define BLOCK 0x20000

        .globl start
        .text
        .code16
start:  cli
        lgdtl %cs:gdt_pointer - 0xf0000
        movl $1, %eax // protected mode
        movl %eax, %cr0
        ljmpl $0x08, $start32

        .code32
start32:
        movl $0x18, %eax
        movl %eax, %ds
        movl %eax, %es
        movl %eax, %ss

        // Bochs takes memory from its store block by block, as blocks are first touched, but loads an image as if they lay in
        // order.  So this touches them in order, before anything else does.
        movl $KERNEL, %esi
touch:  movl (%esi), %eax
        addl $BLOCK, %esi
        cmpl $PARAMETERS, %esi
        jbe touch
        movl PARAMETERS + 0x218, %edi // address of the initramfs
        addl PARAMETERS + 0x21c, %edi // and its size
touch_initramfs:
        movl (%esi), %eax
        addl $BLOCK, %esi
        cmpl %edi, %esi
        jb touch_initramfs

        movl $TABLES, %edi
        xorl %eax, %eax
        movl $3 * 1024, %ecx
        cld
        rep stosl
        movl $TABLES + 0x1000 + 3, TABLES // present, writable
        movl $TABLES + 0x2000 + 3, TABLES + 0x1000
        movl $TABLES + 0x2000, %edi
        movl $0x83, %eax // present, writable, 2 MiB
map:    movl %eax, (%edi)
        addl $0x200000, %eax
        addl $8, %edi
        cmpl $TABLES + 0x3000, %edi
        jne map

        movl $0x20, %eax // PAE
        movl %eax, %cr4
        movl $TABLES, %eax
        movl %eax, %cr3
        movl $0xc0000080, %ecx // EFER.LME
        rdmsr
        orl $0x100, %eax
        wrmsr
        movl $0x80000001, %eax // paging, protected mode
        movl %eax, %cr0
        ljmpl $0x10, $start64

        .code64
start64:
        movl $PARAMETERS, %esi
        movl $KERNEL, %eax
        jmp *%rax

        .balign 8
gdt:    .quad 0
        .quad 0x00cf9b000000ffff // 0x08: code, 32 bits
        .quad 0x00af9b000000ffff // 0x10: code, 64 bits
        .quad 0x00cf93000000ffff // 0x18: data
gdt_pointer:
        .word . - gdt - 1
        .long gdt

        .org 0xfff0
        .code16
        ljmp $0xf000, $start - 0xf0000
        .org 0x10000
