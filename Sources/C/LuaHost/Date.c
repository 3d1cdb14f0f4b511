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

/// A moment as a text names it.
struct moment {
  int64_t year, month, day, hour, minute, second;
  /// Whether the text says PM.
  bool is_afternoon;
  /// Seconds to be taken away, for UTC.
  int64_t offset;
  double part;
};

static bool is_real(const struct moment *m) {
  return m->month >= 1 && m->month <= 12 && m->day >= 1 &&
      m->day <= days_in(m->year, (int)m->month) && m->hour < 24 && m->minute < 60 && m->second < 60;
}

static double seconds_of(const struct moment *m) {
  int64_t days = days_of(m->year, (int)m->month, (int)m->day);
  int64_t whole = days * DAY + m->hour * 3600 + m->minute * 60 + m->second - m->offset;
  return (double)(whole - (int64_t)unix_2001) + m->part;
}

/// ISO 8601: `2026-11-21`, `2026-11-21T09:30:00.5+01:00`.
static void read_iso(struct cursor *text, struct moment *m) {
  int64_t sign = skip(text, '-') ? -1 : 1;
  m->year = sign * digits(text, 4, 5);
  expect(text, '-');
  m->month = digits(text, 2, 2);
  expect(text, '-');
  m->day = digits(text, 2, 2);
  if (!skip(text, 'T') && !skip(text, ' ')) return;
  m->hour = digits(text, 2, 2);
  expect(text, ':');
  m->minute = digits(text, 2, 2);
  if (skip(text, ':')) {
    m->second = digits(text, 2, 2);
    m->part = fraction(text);
  }
  m->offset = zone(text);
}

static bool is_letter(char c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

/// The number of a month by its English name, or the first three letters of it.
static int64_t named_month(struct cursor *text) {
  static const char *const names[] = {"january", "february", "march", "april", "may", "june",
      "july", "august", "september", "october", "november", "december"};
  for (int month = 0; month < 12; month++) {
    const char *name = names[month];
    size_t count = 0;
    while (name[count] != 0 && (text->at[count] | 32) == name[count]) count++;
    if ((count != 3 && name[count] != 0) || is_letter(text->at[count])) continue;
    text->at += count;
    return month + 1;
  }
  text->failed = true;
  return 0;
}

/// AM or PM, which may stand before the hour or behind it.
static void read_half(struct cursor *text, struct moment *m) {
  m->is_afternoon = (*text->at | 32) == 'p';
  if ((!m->is_afternoon && (*text->at | 32) != 'a') || (text->at[1] | 32) != 'm') {
    text->failed = true;
    return;
  }
  text->at += 2;
}

/// The hour of the day of one from 1 to 12.
static void take_half(struct cursor *text, struct moment *m) {
  if (m->hour < 1 || m->hour > 12) text->failed = true;
  m->hour = m->hour % 12 + (m->is_afternoon ? 12 : 0);
}

/// Reads what a letter of a form stands for, that is there `count` times; false where it stands
/// for nothing.
static bool read_part(struct cursor *text, char letter, int count, struct moment *m) {
  if (letter == 'y' && count == 4) {
    m->year = digits(text, 4, 4);
  } else if (letter == 'M' && count == 3) {
    m->month = named_month(text);
  } else if (letter == 'a' && count == 1) {
    read_half(text, m);
  } else if (count > 2) {
    return false;
  } else {
    switch (letter) {
    case 'M': m->month = digits(text, count, 2); break;
    case 'd': m->day = digits(text, count, 2); break;
    case 'H':
    case 'h': m->hour = digits(text, count, 2); break;
    case 'm': m->minute = digits(text, count, 2); break;
    case 's': m->second = digits(text, count, 2); break;
    default: return false;
    }
  }
  return true;
}

/// Reads a text of a form whose letters are those of Unicode's date formats, as Foundation has
/// them; false where the form is none.
static bool read_form(struct cursor *text, const char *form, struct moment *m) {
  bool seen[128] = {false};
  while (*form != 0) {
    char letter = *form;
    int count = 0;
    if (!is_letter(letter)) {
      expect(text, *form++);
      continue;
    }
    for (; *form == letter; form++) count++;
    if (seen[(int)letter] || !read_part(text, letter, count, m)) return false;
    seen[(int)letter] = true;
  }
  if (seen['a']) take_half(text, m);
  return seen['y'] && seen['M'] && seen['d'] && seen['h'] == seen['a'] &&
      !(seen['h'] && seen['H']) && (seen['m'] || !seen['s']);
}

lh_date_result lh_read_date(
    const char *bytes, size_t length, const char *form, double *seconds) {
  struct cursor text = {bytes, false};
  struct moment moment = {0};
  if (form == NULL) {
    read_iso(&text, &moment);
  } else if (!read_form(&text, form, &moment)) {
    return LH_DATE_NO_FORM;
  }
  // A text may have a zero byte in it.
  if (text.failed || text.at != bytes + length || !is_real(&moment)) return LH_DATE_OTHER;
  *seconds = seconds_of(&moment);
  return LH_DATE_READ;
}

/// Reads a text in ISO 8601, or of the form that is named; nil and a reason otherwise.
static int parse(lua_State *L) {
  size_t length, form_length = 0;
  const char *text = luaL_checklstring(L, 1, &length);
  const char *form = luaL_optlstring(L, 2, NULL, &form_length);
  lh_charge(L, (length + form_length) / 16);
  double seconds;
  switch (lh_read_date(text, length, form, &seconds)) {
  case LH_DATE_READ: lua_pushnumber(L, seconds); return 1;
  case LH_DATE_NO_FORM:
    return luaL_argerror(L, 2,
        "a form has yyyy, M or MMM, and d; it may have H, or h with a, and m and s");
  case LH_DATE_OTHER: break;
  }
  lua_pushnil(L);
  lua_pushfstring(
      L, "not a date in the form %s", form == NULL ? "2026-11-21T09:30:00Z" : form);
  return 2;
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
