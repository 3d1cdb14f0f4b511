// Lua in one translation unit, for the trait LuaSource; without the trait, nothing.
//
// Left out is what a sandbox must not have and an app store would ask about: files, processes,
// libraries to load (liolib, loslib, loadlib, ldblib, lcorolib) and what opens them all (linit).

#ifdef LUA_SOURCE

// "Compatibility with the previous version", as Lua's own Makefile and Debian's package have it.
#define LUA_COMPAT_5_3
// _setjmp and _longjmp, which on Darwin do not save the signal mask.
#define LUA_USE_POSIX
// The parts of Lua see what these show, and each defines one of them itself.
#define LUA_CORE
#define LUA_LIB

#include "lua/lprefix.h"
#include "lua/luaconf.h"

// What Lua's own files share is of no use outside this one.
#undef LUAI_FUNC
#undef LUAI_DDEC
#undef LUAI_DDEF
#define LUAI_FUNC static
#define LUAI_DDEC(definition)
#define LUAI_DDEF static

#include "lua/lzio.c"
#include "lua/lctype.c"
#include "lua/lopcodes.c"
#include "lua/lmem.c"
#include "lua/lundump.c"
#include "lua/ldump.c"
#include "lua/lstate.c"
#include "lua/lgc.c"
#include "lua/llex.c"
#include "lua/lcode.c"
#include "lua/lparser.c"
#include "lua/ldebug.c"
#include "lua/lfunc.c"
#include "lua/lobject.c"
#include "lua/ltm.c"
#include "lua/lstring.c"
#include "lua/ltable.c"
#include "lua/ldo.c"
#include "lua/lvm.c"
#include "lua/lapi.c"

#include "lua/lauxlib.c"
#include "lua/lbaselib.c"
#include "lua/lmathlib.c"
#include "lua/lstrlib.c"
#include "lua/ltablib.c"
#include "lua/lutf8lib.c"

#endif
