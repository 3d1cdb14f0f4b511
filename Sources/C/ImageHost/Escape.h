// How libjpeg's functions fail: "the error_exit routine must not return to its caller"
// (libjpeg.txt), so it goes back to where a function of ours has called setjmp.

#ifndef IMAGE_HOST_ESCAPE_H
#define IMAGE_HOST_ESCAPE_H

#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

#include <jpeglib.h>

/// What libjpeg reports to.
typedef struct ih_escape {
  struct jpeg_error_mgr manager;
  /// Where it goes when it fails; set before each call that can.
  jmp_buf back;
  /// Takes its last words: 256 bytes.
  char *problem;
} ih_escape;

/// Makes it ready; nothing goes to the terminal.
struct jpeg_error_mgr *ih_escape_begin(ih_escape *escape, char *problem);

/// Leaves with words of our own.
_Noreturn void ih_escape_leave(j_common_ptr jpeg, const char *problem);

#endif
