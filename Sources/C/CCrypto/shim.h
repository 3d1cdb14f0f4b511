#pragma once
#include <openssl/evp.h>

/// An algorithm, fetched for as long as the process lives; NULL where libcrypto has none.
///
/// "If you perform the same operation many times with the same algorithm then it is recommended to
/// use a single explicit fetch of the algorithm and then reuse the explicitly fetched algorithm
/// each subsequent time. This will typically be faster than implicitly fetching the algorithm
/// every time" (crypto(7)).
static inline const EVP_MD *ccrypto_algorithm(const char *name) {
#if OPENSSL_VERSION_MAJOR >= 3
  return EVP_MD_fetch(NULL, name, NULL);
#else
  return EVP_get_digestbyname(name);
#endif
}
