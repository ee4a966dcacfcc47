/* SPDX-License-Identifier: Apache-2.0
 * Keys in flash: the files pk and sk of the folder AIOLI_FLASH_KEYS. */
  .syntax unified
  .section .rodata.flash_keys, "a", %progbits
  .global flash_pk, flash_pk_end, flash_sk, flash_sk_end
flash_pk:
  .incbin "pk"
flash_pk_end:
flash_sk:
  .incbin "sk"
flash_sk_end:
