// What this layer takes from the operating system.

#ifndef IMAGE_HOST_PLATFORM_H
#define IMAGE_HOST_PLATFORM_H

/// Where libvips is looked for, in this order.
#ifdef __APPLE__
// dlopen(3): a name without a slash is not looked for where Homebrew keeps libraries.
#define LIBVIPS_FILES \
  {"libvips.42.dylib", "/opt/homebrew/lib/libvips.42.dylib", "/usr/local/lib/libvips.42.dylib"}
#else
#define LIBVIPS_FILES {"libvips.so.42"}
#endif

#endif
