#pragma once

// What differs by system: the clock that a script's time limit is measured by.
//
// It stops while the machine sleeps, and is read without a system call: a few milliseconds'
// accuracy is enough.

#include <time.h>

#ifdef __APPLE__
/// CLOCK_MONOTONIC "will continue to increment while the system is asleep", and CLOCK_UPTIME_RAW
/// "does not" (clock_gettime(3), macOS).
#define LIMIT_CLOCK CLOCK_UPTIME_RAW_APPROX
#else
/// "CLOCK_BOOTTIME ... is identical to CLOCK_MONOTONIC, except that it also includes any time that
/// the system is suspended" (clock_gettime(2), Linux).
#define LIMIT_CLOCK CLOCK_MONOTONIC_COARSE
#endif
