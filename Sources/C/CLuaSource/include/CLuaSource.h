#pragma once

// Lua's headers, where `make lua-source` has put them.

#if __has_include("../lua/lua.h")
#include "../lua/lua.h"
#include "../lua/lauxlib.h"
#include "../lua/lualib.h"
#elif defined(LUA_SOURCE)
#error "the trait LuaSource needs Lua's source: type `make lua-source LUA=lua-5.4.8.tar.gz`"
#endif
