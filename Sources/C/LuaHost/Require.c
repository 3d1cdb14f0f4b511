// `require`: one folder, names without a path in them, text only, each file once.

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Host.h"

/// A name is words of [A-Za-z0-9_] joined by single dots: no separator, no "..", no hidden file.
static bool is_module_name(const char *name, size_t length) {
  if (length == 0 || length > 64 || strlen(name) != length) return false;
  for (size_t i = 0; i < length; i++) {
    char c = name[i];
    bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
        c == '_';
    bool dot = c == '.' && i > 0 && i + 1 < length && name[i - 1] != '.';
    if (!word && !dot) return false;
  }
  return true;
}

/// Finds the file, symbolic links resolved, and makes sure that it lies below the folder.
static bool find_module(lh_host *host, const char *relative, char *found) {
  char path[PATH_MAX];
  size_t folder = strlen(host->folder);
  if (folder == 0 ||
      snprintf(path, sizeof path, "%s/%s.lua", host->folder, relative) >= (int)sizeof path)
    return false;
  if (realpath(path, found) == NULL) return false;
  return strncmp(found, host->folder, folder) == 0 &&
      (found[folder] == '/' || host->folder[folder - 1] == '/');
}

/// Fills a buffer of exactly the file's size; nothing of Lua's is called while it is open.
static bool read_file(const char *path, char *bytes, size_t size) {
  // O_NONBLOCK: opening a FIFO would otherwise wait for a writer.
  int file = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return false;
  size_t count = 0;
  ssize_t got = 1;
  while (count < size && got > 0) {
    got = read(file, bytes + count, size - count);
    if (got < 0 && errno == EINTR) got = 1;
    else if (got > 0) count += (size_t)got;
  }
  close(file);
  return count == size;
}

/// Leaves the module's text on the stack.
static void push_module_text(lua_State *L, const char *path) {
  struct stat about;
  if (lstat(path, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > LH_MAX_SOURCE)
    luaL_error(L, "the module's file is not a regular file of at most 1024 KiB");
  size_t size = (size_t)about.st_size;
  lh_reserve(L, size);
  char *bytes = lua_newuserdatauv(L, size + 1, 0);
  if (!read_file(path, bytes, size)) luaL_error(L, "the module's file cannot be read");
  lua_pushlstring(L, bytes, size);
  lua_remove(L, -2);
}

static int require(lua_State *L) {
  lh_host *host = lh_host_of(L);
  size_t length;
  const char *name = luaL_checklstring(L, 1, &length);
  lua_settop(L, 1);
  if (!is_module_name(name, length))
    return luaL_error(L, "a module's name is words of letters, digits and _ joined by dots");
  lua_rawgetp(L, LUA_REGISTRYINDEX, &lh_required_key);
  lua_pushvalue(L, 1);
  if (lua_rawget(L, 2) != LUA_TNIL) {
    if (lua_islightuserdata(L, 3))
      return luaL_error(L, "module '%s' requires itself, by way of others perhaps, "
          "or it has failed to load before", name);
    return 1;
  }
  if (host->closes_folder)
    return luaL_error(L, "module '%s' is required inside a function, and was not loaded with the "
        "file: write `local m = require(\"%s\")` at the top, outside all functions", name, name);
  char relative[65], path[PATH_MAX];
  strcpy(relative, name);
  for (char *c = relative; *c != 0; c++)
    if (*c == '.') *c = '/';
  if (!find_module(host, relative, path))
    return luaL_error(L, "module '%s' is not in the script's folder (%s.lua)", name, relative);
  lua_settop(L, 2);
  // Marks it as being loaded, so that a circle is an error and not an endless one.
  lua_pushlightuserdata(L, host);
  lua_setfield(L, 2, name);
  push_module_text(L, path);
  lh_load_text(L, lua_tostring(L, 3), lua_rawlen(L, 3), path);
  lh_run_chunk(L, 1);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
  }
  lua_pushvalue(L, -1);
  lua_setfield(L, 2, name);
  return 1;
}

void lh_open_require(lua_State *L) {
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &lh_required_key);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &lh_builtins_key);
  lua_pushcfunction(L, require);
  lua_setfield(L, -2, "require");
  lua_pop(L, 1);
}
