// Only in a build with ThreadSanitizer, which keeps a list of the open calls of each thread and has
// its own longjmp, by which it knows the calls that a jump ends. A liblua built with fortification,
// as Debian's is, does not call longjmp but __longjmp_chk, which the sanitizer does not know: the
// list would grow with each error in Lua until it is full. So the one is led to the other.

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#include <setjmp.h>

#pragma clang diagnostic ignored "-Wreserved-identifier"
_Noreturn void __longjmp_chk(jmp_buf environment, int value);

_Noreturn void __longjmp_chk(jmp_buf environment, int value) { longjmp(environment, value); }

#endif
#endif
