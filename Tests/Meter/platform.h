// What differs between systems.
#ifndef METER_PLATFORM_H
#define METER_PLATFORM_H

// getrusage(2): the largest resident size is given in kilobytes on Linux, in bytes on macOS.
#ifdef __APPLE__
#define MAXRSS_UNIT 1
#else
#define MAXRSS_UNIT 1024
#endif

#endif
