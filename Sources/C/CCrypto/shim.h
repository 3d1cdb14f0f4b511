#pragma once

// The functions of one algorithm each. Those of EVP look for an algorithm among providers, and set
// up the whole library for it: in a process that digests a little that takes longer than all the
// digests. OpenSSL 3 has both, and means these by its interface of 1.1.
#define OPENSSL_API_COMPAT 0x10100000L
#include <openssl/sha.h>
