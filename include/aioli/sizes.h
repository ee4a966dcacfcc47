/* placeholder until generated */
#ifndef AIOLI_SIZES_H
#define AIOLI_SIZES_H
#define AIOLI_MAX_PUBLIC_KEY_BYTES 5554
#define AIOLI_MAX_SECRET_KEY_BYTES 40
#define AIOLI_MAX_SIGNATURE_BYTES 964
#endif
