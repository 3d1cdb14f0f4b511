// `date`: a date is a number of seconds since 2001-01-01 00:00:00 UTC, as Core Data keeps it.
// Here is no clock: what time it is, a script learns from its context.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "Host.h"

enum { DAY = 86400 };

/// 2001-01-01 in seconds since 1970-01-01.
static const double unix_2001 = 978307200;

/// Days since 1970-01-01 of a date in the proleptic Gregorian calendar (years begin in March
/// here, so that the leap day is the last of its year).
static int64_t days_of(int64_t year, int month, int day) {
  year -= month <= 2;
  int64_t era = (year >= 0 ? year : year - 399) / 400;
  int64_t in_era = year - era * 400;
  int64_t in_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + in_era * 365 + in_era / 4 - in_era / 100 + in_year - 719468;
}

static void date_of(int64_t days, int64_t *year, int *month, int *day) {
  days += 719468;
  int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  int64_t in_era = days - era * 146097;
  int64_t years = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
  int64_t in_year = in_era - (365 * years + years / 4 - years / 100);
  int64_t shifted = (5 * in_year + 2) / 153;
  *day = (int)(in_year - (153 * shifted + 2) / 5 + 1);
  *month = (int)(shifted < 10 ? shifted + 3 : shifted - 9);
  *year = years + era * 400 + (*month <= 2);
}

static int days_in(int64_t year, int month) {
  static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return month == 2 && leap ? 29 : days[month - 1];
}

static double check_date(lua_State *L, int index) {
  double seconds = luaL_checknumber(L, index);
  luaL_argcheck(L, seconds > -1e12 && seconds < 1e12, index,
      "a date is a number of seconds within 30,000 years of 2001");
  return seconds;
}

static int iso(lua_State *L) {
  double seconds = check_date(L, 1);
  // To the microsecond: a double holds no more of a date of our time.
  int64_t micros = llround((seconds - floor(seconds)) * 1e6);
  int64_t whole = (int64_t)floor(seconds) + (int64_t)unix_2001 + micros / 1000000;
  micros %= 1000000;
  int64_t days = whole / DAY - (whole % DAY < 0), second = whole - days * DAY, year;
  int month, day;
  date_of(days, &year, &month, &day);
  char text[64];
  int length = snprintf(text, sizeof text, "%s%04lld-%02d-%02dT%02d:%02d:%02d",
      year < 0 ? "-" : "", (long long)(year < 0 ? -year : year), month, day,
      (int)(second / 3600), (int)(second / 60 % 60), (int)(second % 60));
  if (micros != 0) {
    length += snprintf(text + length, sizeof text - (size_t)length, ".%06d", (int)micros);
    while (text[length - 1] == '0') length--;
  }
  text[length++] = 'Z';
  lua_pushlstring(L, text, (size_t)length);
  return 1;
}

struct cursor {
  const char *at;
  bool failed;
};

static int64_t digits(struct cursor *cursor, int least, int most) {
  int64_t value = 0;
  int count = 0;
  for (; count < most && *cursor->at >= '0' && *cursor->at <= '9'; count++)
    value = value * 10 + (*cursor->at++ - '0');
  if (count < least) cursor->failed = true;
  return value;
}

static bool skip(struct cursor *cursor, char c) {
  if (*cursor->at != c) return false;
  cursor->at++;
  return true;
}

static void expect(struct cursor *cursor, char c) {
  if (!skip(cursor, c)) cursor->failed = true;
}

/// Fifteen digits make an exact double, and so one division rounds correctly; more say nothing.
static double fraction(struct cursor *cursor) {
  double value = 0, scale = 1;
  if (!skip(cursor, '.') && !skip(cursor, ',')) return 0;
  if (*cursor->at < '0' || *cursor->at > '9') cursor->failed = true;
  for (; *cursor->at >= '0' && *cursor->at <= '9'; cursor->at++) {
    if (scale >= 1e15) continue;
    value = value * 10 + (*cursor->at - '0');
    scale *= 10;
  }
  return value / scale;
}

/// Z, +02:00, +0200 or +02; nothing means UTC.
static int64_t zone(struct cursor *cursor) {
  if (skip(cursor, 'Z') || *cursor->at == 0) return 0;
  int64_t sign = *cursor->at == '-' ? -1 : 1;
  if (!skip(cursor, '+') && !skip(cursor, '-')) cursor->failed = true;
  int64_t hours = digits(cursor, 2, 2);
  int64_t minutes = 0;
  if (skip(cursor, ':') || *cursor->at != 0) minutes = digits(cursor, 2, 2);
  if (hours > 23 || minutes > 59) cursor->failed = true;
  return sign * (hours * 3600 + minutes * 60);
}

/// Reads ISO 8601 (`2026-11-21`, `2026-11-21T09:30:00.5+01:00`); nil and a reason otherwise.
static int parse(lua_State *L) {
  size_t length;
  struct cursor cursor = {luaL_checklstring(L, 1, &length), false};
  lh_charge(L, length / 16);
  int64_t sign = skip(&cursor, '-') ? -1 : 1, year = sign * digits(&cursor, 4, 5);
  expect(&cursor, '-');
  int month = (int)digits(&cursor, 2, 2);
  expect(&cursor, '-');
  int day = (int)digits(&cursor, 2, 2);
  int64_t hour = 0, minute = 0, second = 0, offset = 0;
  double part = 0;
  if (skip(&cursor, 'T') || skip(&cursor, ' ')) {
    hour = digits(&cursor, 2, 2);
    expect(&cursor, ':');
    minute = digits(&cursor, 2, 2);
    if (skip(&cursor, ':')) {
      second = digits(&cursor, 2, 2);
      part = fraction(&cursor);
    }
    offset = zone(&cursor);
  }
  bool real = !cursor.failed && *cursor.at == 0 && month >= 1 && month <= 12 && day >= 1 &&
      day <= days_in(year, month) && hour < 24 && minute < 60 &&
      second < 60;
  if (!real || strlen(lua_tostring(L, 1)) != length) {
    lua_pushnil(L);
    lua_pushliteral(L, "not a date in the form 2026-11-21T09:30:00Z");
    return 2;
  }
  int64_t whole = days_of(year, month, day) * DAY + hour * 3600 + minute * 60 + second - offset;
  lua_pushnumber(L, (double)(whole - (int64_t)unix_2001) + part);
  return 1;
}

static int to_unix(lua_State *L) {
  lua_pushnumber(L, check_date(L, 1) + unix_2001);
  return 1;
}

static int from_unix(lua_State *L) {
  lua_pushnumber(L, luaL_checknumber(L, 1) - unix_2001);
  return 1;
}

void lh_open_date(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"iso", iso}, {"parse", parse}, {"unix", to_unix}, {"fromUnix", from_unix}, {NULL, NULL},
  };
  lh_push_library(L, "date");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}
