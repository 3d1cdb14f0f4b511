#include "Escape.h"

#ifdef IMAGES

#include <jerror.h>

_Noreturn void ih_escape_leave(j_common_ptr jpeg, const char *problem) {
  ih_escape *escape = (ih_escape *)jpeg->err;
  snprintf(escape->problem, 256, "%s", problem);
  longjmp(escape->back, 1);
}

static void leave(j_common_ptr jpeg) {
  // Its words would be of a file that it wanted, to have more than `max_memory_to_use`.
  if (jpeg->err->msg_code == JERR_NO_BACKING_STORE)
    ih_escape_leave(jpeg, "it is decoded whole, and too large for that");
  char words[JMSG_LENGTH_MAX];
  jpeg->err->format_message(jpeg, words);
  ih_escape_leave(jpeg, words);
}

/// Whether a warning says that part of the picture is lost: libjpeg would fill it up and continue.
static int is_damage(const struct jpeg_error_mgr *said) {
  switch (said->msg_code) {
  case JWRN_ARITH_BAD_CODE:
  case JWRN_BOGUS_PROGRESSION:
  case JWRN_HIT_MARKER:
  case JWRN_HUFF_BAD_CODE:
  case JWRN_JPEG_EOF:
  case JWRN_MUST_RESYNC:
    return 1;
  // Superfluous bytes: cameras leave some at the end. Before a restart marker, RST0 to RST7, they
  // are what was not understood of a row of blocks.
  case JWRN_EXTRANEOUS_DATA:
    return said->msg_parm.i[1] >= 0xd0 && said->msg_parm.i[1] <= 0xd7;
  default:
    return 0;
  }
}

static void hear(j_common_ptr jpeg, int level) {
  // "-1: recoverable corrupt-data warning" (jpeglib.h); what is above is no damage.
  if (level < 0 && is_damage(jpeg->err)) leave(jpeg);
}

static void ignore(j_common_ptr jpeg) { (void)jpeg; }

struct jpeg_error_mgr *ih_escape_begin(ih_escape *escape, char *problem) {
  jpeg_std_error(&escape->manager);
  escape->manager.error_exit = leave;
  escape->manager.emit_message = hear;
  escape->manager.output_message = ignore;
  escape->problem = problem;
  return &escape->manager;
}

#endif
