// What differs by system.
#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>

/// From here on this process ends when the one that started it does.
static inline void end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }
#else
static inline void end_with_parent(void) {}
#endif
