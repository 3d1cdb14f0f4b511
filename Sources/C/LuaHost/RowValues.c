// Columns as Lua values and Lua values as parameters, where there is one plain way. Everything else
// is for the host, which has the words for what is wrong.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "Rows.h"

/// What a number or a NULL takes in a row, about.
enum { SMALL = 8 };

static int64_t bound(int code, int64_t bytes) {
  return code == SQLITE_OK ? bytes : LH_BIND_FAILED;
}

int64_t lh_bind_column(sqlite3_stmt *target, int parameter, sqlite3_stmt *source, int column) {
  switch (sqlite3_column_type(source, column)) {
    case SQLITE_NULL: return bound(sqlite3_bind_null(target, parameter), SMALL);
    case SQLITE_INTEGER: {
      int64_t number = sqlite3_column_int64(source, column);
      return bound(sqlite3_bind_int64(target, parameter, number), SMALL);
    }
    case SQLITE_FLOAT: {
      double number = sqlite3_column_double(source, column);
      return bound(sqlite3_bind_double(target, parameter, number), SMALL);
    }
    case SQLITE_TEXT: {
      // "The safest policy is to invoke sqlite3_column_text() followed by sqlite3_column_bytes()"
      // (C API, Result Values From A Query). A null pointer, for memory that ran out or an empty
      // blob, would bind NULL.
      const char *text = (const char *)sqlite3_column_text(source, column);
      int length = sqlite3_column_bytes(source, column);
      if (text == NULL) return LH_READ_FAILED;
      return bound(sqlite3_bind_text(target, parameter, text, length, SQLITE_STATIC), length);
    }
    default: {
      const void *bytes = sqlite3_column_blob(source, column);
      int length = sqlite3_column_bytes(source, column);
      if (length > 0 && bytes == NULL) return LH_READ_FAILED;
      if (length == 0) bytes = "";
      return bound(sqlite3_bind_blob(target, parameter, bytes, length, SQLITE_STATIC), length);
    }
  }
}

/// Whether bytes are UTF-8 (Unicode, table 3-7: no surrogates, nothing longer than it must be).
static bool is_utf8(const unsigned char *bytes, size_t length) {
  size_t i = 0;
  while (i < length) {
    unsigned char lead = bytes[i];
    if (lead < 0x80) {
      i++;
      continue;
    }
    unsigned char low = 0x80, high = 0xBF;
    size_t more;
    if (lead >= 0xC2 && lead <= 0xDF) more = 1;
    else if (lead >= 0xE0 && lead <= 0xEF) more = 2;
    else if (lead >= 0xF0 && lead <= 0xF4) more = 3;
    else return false;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
    if (length - i <= more || bytes[i + 1] < low || bytes[i + 1] > high) return false;
    for (size_t j = 2; j <= more; j++)
      if ((bytes[i + j] & 0xC0) != 0x80) return false;
    i += more + 1;
  }
  return true;
}

static bool push_bytes(lua_State *L, const void *bytes, size_t length) {
  lh_charge(L, 1 + length / 16);
  lua_pushlstring(L, bytes != NULL ? bytes : "", length);
  return true;
}

static bool push_text(lua_State *L, sqlite3_stmt *source, int column) {
  const unsigned char *text = sqlite3_column_text(source, column);
  size_t length = (size_t)sqlite3_column_bytes(source, column);
  return text != NULL && is_utf8(text, length) && push_bytes(L, text, length);
}

static bool push_blob(lua_State *L, sqlite3_stmt *source, int column) {
  const void *bytes = sqlite3_column_blob(source, column);
  size_t length = (size_t)sqlite3_column_bytes(source, column);
  return (length == 0 || bytes != NULL) && push_bytes(L, bytes, length);
}

static bool push_uuid(lua_State *L, sqlite3_stmt *source, int column) {
  const unsigned char *b = sqlite3_column_blob(source, column);
  char text[37];
  if (b == NULL || sqlite3_column_bytes(source, column) != 16) return false;
  snprintf(text, sizeof text,
      "%02X%02X%02X%02X-%02X%02X-%02X%02X-%02X%02X-%02X%02X%02X%02X%02X%02X", b[0], b[1], b[2],
      b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
  return push_bytes(L, text, 36);
}

static bool push_integer(lua_State *L, lh_form form, int64_t number) {
  switch (form) {
    case LH_FORM_INTEGER16:
    case LH_FORM_INTEGER32:
    case LH_FORM_INTEGER64: lua_pushinteger(L, number); return true;
    case LH_FORM_BOOLEAN:
      if (number != 0 && number != 1) return false;
      lua_pushboolean(L, (int)number);
      return true;
    case LH_FORM_REAL:
    case LH_FORM_FLOAT:
    case LH_FORM_DATE:
      // A column of numeric affinity makes integers of whole numbers; larger ones are for the host.
      if (number > 1LL << 53 || number < -(1LL << 53)) return false;
      lua_pushnumber(L, (lua_Number)number);
      return true;
    case LH_FORM_DECIMAL: lua_pushfstring(L, "%I", (LUAI_UACINT)number); return true;
    default: return false;
  }
}

bool lh_push_column(lua_State *L, sqlite3_stmt *source, lh_argument argument) {
  int column = argument.column;
  switch (sqlite3_column_type(source, column)) {
    case SQLITE_NULL: lua_pushnil(L); return true;
    case SQLITE_INTEGER:
      return push_integer(L, argument.form, sqlite3_column_int64(source, column));
    case SQLITE_FLOAT:
      if (argument.form < LH_FORM_REAL || argument.form > LH_FORM_DATE) return false;
      lua_pushnumber(L, sqlite3_column_double(source, column));
      return true;
    case SQLITE_TEXT: return argument.form == LH_FORM_TEXT && push_text(L, source, column);
    default:
      if (argument.form == LH_FORM_UUID) return push_uuid(L, source, column);
      if (argument.form != LH_FORM_BYTES) return false;
      return push_blob(L, source, column);
  }
}

bool lh_peek_value(lua_State *L, int index, lh_value *value) {
  *value = (lh_value){LH_NIL, 0, 0, NULL, 0, NULL};
  switch (lua_type(L, index)) {
    case LUA_TNIL: return true;
    case LUA_TBOOLEAN:
      value->kind = LH_BOOLEAN;
      value->integer = lua_toboolean(L, index);
      return true;
    case LUA_TNUMBER:
      value->kind = lua_isinteger(L, index) ? LH_INTEGER : LH_REAL;
      if (value->kind == LH_INTEGER) value->integer = lua_tointeger(L, index);
      else value->real = lua_tonumber(L, index);
      return true;
    case LUA_TSTRING:
      value->kind = LH_STRING;
      value->bytes = lua_tolstring(L, index, &value->length);
      return true;
    default:
      value->kind = lua_istable(L, index) ? LH_TABLE : LH_OTHER;
      value->bytes = luaL_typename(L, index);
      value->length = strlen(value->bytes);
      return false;
  }
}

static int64_t bind_integer(
    const lh_value *value, sqlite3_stmt *target, int parameter, int64_t most) {
  int64_t number = value->integer;
  if (value->kind != LH_INTEGER || number > most || number < -most - 1) return LH_BIND_OTHER;
  return bound(sqlite3_bind_int64(target, parameter, number), SMALL);
}

static int64_t bind_real(
    const lh_value *value, sqlite3_stmt *target, const lh_function *function) {
  if (value->kind != LH_INTEGER && value->kind != LH_REAL) return LH_BIND_OTHER;
  double number = value->kind == LH_INTEGER ? (double)value->integer : value->real;
  double size = fabs(number);
  if (!isfinite(number)) return LH_BIND_OTHER;
  if (function->form == LH_FORM_FLOAT) {
    if (size > FLT_MAX) return LH_BIND_OTHER;
    number = (double)(float)number;
  }
  // A column of numeric affinity makes an integer of a whole number only below 2^51 (vdbe.c,
  // sqlite3RealSameAsInt).
  if (function->form == LH_FORM_DATE && size >= 0x1p51) return LH_BIND_OTHER;
  return bound(sqlite3_bind_double(target, function->target, number), SMALL);
}

static int64_t bind_string(
    const lh_value *value, sqlite3_stmt *target, int parameter, lh_form form) {
  const char *bytes = value->bytes;
  size_t length = value->length;
  if (value->kind != LH_STRING) return LH_BIND_OTHER;
  if (form == LH_FORM_BYTES) {
    int code = sqlite3_bind_blob64(target, parameter, bytes, length, SQLITE_STATIC);
    return bound(code, (int64_t)length);
  }
  if (!is_utf8((const unsigned char *)bytes, length)) return LH_BIND_OTHER;
  int code =
      sqlite3_bind_text64(target, parameter, bytes, length, SQLITE_STATIC, SQLITE_UTF8);
  return bound(code, (int64_t)length);
}

int64_t lh_bind_value(
    const lh_value *value, sqlite3_stmt *target, const lh_function *function) {
  int parameter = function->target;
  if (value->kind == LH_NIL) {
    if (!function->is_optional) return LH_BIND_OTHER;
    return bound(sqlite3_bind_null(target, parameter), SMALL);
  }
  switch (function->form) {
    case LH_FORM_INTEGER16: return bind_integer(value, target, parameter, INT16_MAX);
    case LH_FORM_INTEGER32: return bind_integer(value, target, parameter, INT32_MAX);
    case LH_FORM_INTEGER64:
    case LH_FORM_DECIMAL: return bind_integer(value, target, parameter, INT64_MAX);
    case LH_FORM_BOOLEAN:
      if (value->kind != LH_BOOLEAN) return LH_BIND_OTHER;
      return bound(sqlite3_bind_int(target, parameter, (int)value->integer), SMALL);
    case LH_FORM_REAL:
    case LH_FORM_FLOAT:
    case LH_FORM_DATE: return bind_real(value, target, function);
    case LH_FORM_TEXT:
    case LH_FORM_BYTES: return bind_string(value, target, parameter, function->form);
    default: return LH_BIND_OTHER;
  }
}
