// `decimal`: exact arithmetic on decimal numbers written as text, as Decimal attributes are. A
// Lua integer is taken too; a float is refused, because it is not what was written.

#include <stdio.h>
#include <string.h>

#include "Host.h"

enum { LONGEST = 400, ROOM = 2 * LONGEST + 8 };

/// sign x 0.d1d2d3... without a point: `count` digits, the last `scale` of them after the point.
typedef struct decimal {
  bool negative;
  int count, scale;
  unsigned char digits[ROOM];
} decimal;

static void check_size(lua_State *L, int count) {
  if (count > LONGEST) luaL_error(L, "the result would have more than %d digits", LONGEST);
}

static bool is_zero(const decimal *d) {
  for (int i = 0; i < d->count; i++)
    if (d->digits[i] != 0) return false;
  return true;
}

/// Takes zeros off the front, so that equal whole parts have equal lengths.
static void strip(decimal *d) {
  int zeros = 0;
  while (zeros < d->count - d->scale - 1 && d->digits[zeros] == 0) zeros++;
  memmove(d->digits, d->digits + zeros, (size_t)(d->count - zeros));
  d->count -= zeros;
  if (is_zero(d)) d->negative = false;
}

static bool read_digits(decimal *d, const char **at) {
  int before = d->count;
  for (; **at >= '0' && **at <= '9' && d->count < LONGEST; ++*at)
    d->digits[d->count++] = (unsigned char)(**at - '0');
  return d->count > before;
}

/// The exponent, and `*at` after it; false where there is none that can be meant.
static bool read_exponent(const char **at, int *exponent) {
  const char *digit = *at + 1 + (**at != 0 && ((*at)[1] == '-' || (*at)[1] == '+'));
  int length = 0;
  if (*digit < '0' || *digit > '9') return false;
  if (sscanf(*at + 1, "%4d%n", exponent, &length) != 1) return false;
  *at += 1 + length;
  return true;
}

/// `-12.50`, `.5`, `7.`, `1e3`; false where it is none of these, or too long.
static bool read_decimal(decimal *d, const char *text) {
  d->negative = *text == '-';
  d->count = d->scale = 0;
  if (*text == '-' || *text == '+') text++;
  bool any = read_digits(d, &text);
  int whole = d->count;
  if (*text == '.') {
    text++;
    any = read_digits(d, &text) || any;
    d->scale = d->count - whole;
  }
  int exponent = 0;
  if (!any || ((*text == 'e' || *text == 'E') && !read_exponent(&text, &exponent))) return false;
  d->scale -= exponent;
  if (d->count - d->scale > LONGEST || d->scale > LONGEST - 1) return false;
  for (; d->scale < 0; d->scale++) d->digits[d->count++] = 0;
  if (d->scale >= d->count) {
    int zeros = d->scale - d->count + 1;
    memmove(d->digits + zeros, d->digits, (size_t)d->count);
    memset(d->digits, 0, (size_t)zeros);
    d->count += zeros;
  }
  strip(d);
  return *text == 0;
}

static void check_decimal(lua_State *L, int index, decimal *d) {
  if (!lua_isinteger(L, index) && lua_type(L, index) != LUA_TSTRING)
    luaL_typeerror(L, index, "decimal (a text or an integer)");
  const char *text = luaL_tolstring(L, index, NULL);
  if (lua_rawlen(L, -1) != strlen(text) || !read_decimal(d, text))
    luaL_argerror(L, index, "not a decimal number of at most 400 digits");
  lua_pop(L, 1);
}

static int push_decimal(lua_State *L, decimal *d) {
  char text[ROOM + 4];
  int length = 0;
  strip(d);
  if (d->negative) text[length++] = '-';
  for (int i = 0; i < d->count; i++) {
    if (i == d->count - d->scale) text[length++] = '.';
    text[length++] = (char)('0' + d->digits[i]);
  }
  lua_pushlstring(L, text, (size_t)length);
  return 1;
}

/// Gives both the same scale and the same number of digits.
static void align(lua_State *L, decimal *a, decimal *b) {
  decimal *both[] = {a, b};
  int scale = a->scale > b->scale ? a->scale : b->scale;
  int whole = a->count - a->scale > b->count - b->scale ? a->count - a->scale
                                                        : b->count - b->scale;
  check_size(L, whole + scale);
  for (int i = 0; i < 2; i++) {
    decimal *d = both[i];
    int front = whole - (d->count - d->scale);
    memmove(d->digits + front, d->digits, (size_t)d->count);
    memset(d->digits, 0, (size_t)front);
    memset(d->digits + front + d->count, 0, (size_t)(scale - d->scale));
    d->count = whole + scale;
    d->scale = scale;
  }
}

static int compare_magnitudes(const decimal *a, const decimal *b) {
  return memcmp(a->digits, b->digits, (size_t)a->count);
}

/// a + b or a - b of aligned magnitudes; a is the larger where they are subtracted.
static void combine(decimal *a, const decimal *b, bool subtract) {
  int carry = 0;
  for (int i = a->count - 1; i >= 0; i--) {
    int digit = a->digits[i] + (subtract ? -b->digits[i] : b->digits[i]) + carry;
    carry = digit < 0 ? -1 : digit > 9;
    a->digits[i] = (unsigned char)(digit - 10 * carry);
  }
  if (carry <= 0) return;
  memmove(a->digits + 1, a->digits, (size_t)a->count);
  a->digits[0] = 1;
  a->count++;
}

static int add_signed(lua_State *L, bool subtract) {
  decimal a, b;
  check_decimal(L, 1, &a);
  check_decimal(L, 2, &b);
  if (subtract) b.negative = !b.negative;
  align(L, &a, &b);
  if (a.negative == b.negative) {
    combine(&a, &b, false);
    return push_decimal(L, &a);
  }
  bool larger = compare_magnitudes(&a, &b) >= 0;
  combine(larger ? &a : &b, larger ? &b : &a, true);
  return push_decimal(L, larger ? &a : &b);
}

static int add(lua_State *L) { return add_signed(L, false); }
static int subtract(lua_State *L) { return add_signed(L, true); }

static int multiply(lua_State *L) {
  decimal a, b, product;
  check_decimal(L, 1, &a);
  check_decimal(L, 2, &b);
  int count = a.count + b.count;
  check_size(L, count);
  lh_charge(L, (uint64_t)a.count * (uint64_t)b.count / 4);
  memset(product.digits, 0, (size_t)count);
  for (int i = a.count - 1; i >= 0; i--) {
    int carry = 0;
    for (int j = b.count - 1; j >= 0; j--) {
      int digit = product.digits[i + j + 1] + a.digits[i] * b.digits[j] + carry;
      product.digits[i + j + 1] = (unsigned char)(digit % 10);
      carry = digit / 10;
    }
    product.digits[i] = (unsigned char)carry;
  }
  product.count = count;
  product.scale = a.scale + b.scale;
  product.negative = a.negative != b.negative;
  return push_decimal(L, &product);
}

static const char *const modes[] = {"half-up", "half-even", "down", "up", "floor", "ceiling", NULL};

static bool rounds_away(const decimal *d, int kept, const char *mode) {
  bool rest = false;
  for (int i = kept; i < d->count; i++) rest = rest || d->digits[i] != 0;
  if (!rest || strcmp(mode, "down") == 0) return false;
  if (strcmp(mode, "up") == 0) return true;
  if (strcmp(mode, "floor") == 0) return d->negative;
  if (strcmp(mode, "ceiling") == 0) return !d->negative;
  int first = kept < d->count ? d->digits[kept] : 0;
  if (first != 5 || strcmp(mode, "half-up") == 0) return first >= 5;
  for (int i = kept + 1; i < d->count; i++)
    if (d->digits[i] != 0) return true;
  return kept > 0 && d->digits[kept - 1] % 2 == 1;
}

/// Leaves `scale` digits after the point.
static void round_to(decimal *d, int scale, const char *mode) {
  if (scale >= d->scale) {
    memset(d->digits + d->count, 0, (size_t)(scale - d->scale));
    d->count += scale - d->scale;
    d->scale = scale;
    return;
  }
  int kept = d->count - (d->scale - scale);
  bool away = rounds_away(d, kept, mode);
  d->count = kept;
  d->scale = scale;
  int i = kept - 1;
  for (; away && i >= 0 && d->digits[i] == 9; i--) d->digits[i] = 0;
  if (!away) return;
  if (i >= 0) {
    d->digits[i]++;
    return;
  }
  memmove(d->digits + 1, d->digits, (size_t)d->count);
  d->digits[0] = 1;
  d->count++;
}

static int check_scale(lua_State *L, int index) {
  lua_Integer scale = luaL_checkinteger(L, index);
  luaL_argcheck(L, scale >= 0 && scale <= LONGEST / 2, index, "0 to 200 digits after the point");
  return (int)scale;
}

static int round_decimal(lua_State *L) {
  decimal d;
  check_decimal(L, 1, &d);
  int scale = check_scale(L, 2);
  const char *mode = modes[luaL_checkoption(L, 3, "half-up", modes)];
  round_to(&d, scale, mode);
  return push_decimal(L, &d);
}

/// Takes `b` from the remainder as often as it goes, aligned at the remainder's end.
static unsigned char take_out(decimal *remainder, const decimal *b) {
  unsigned char times = 0;
  for (;; times++) {
    int start = 0, length = remainder->count;
    while (length > 0 && remainder->digits[start] == 0) {
      start++;
      length--;
    }
    bool fits = length > b->count ||
        (length == b->count && memcmp(remainder->digits + start, b->digits, (size_t)length) >= 0);
    if (!fits) return times;
    int borrow = 0;
    for (int i = remainder->count - 1, j = b->count - 1; i >= start; i--, j--) {
      int digit = remainder->digits[i] - (j >= 0 ? b->digits[j] : 0) - borrow;
      borrow = digit < 0;
      remainder->digits[i] = (unsigned char)(digit + 10 * borrow);
    }
  }
}

/// Long division to one digit more than asked for; a rest beyond it makes that digit odd enough
/// to be seen by every rounding mode.
static int divide(lua_State *L) {
  decimal a, b, quotient = {0}, remainder = {0};
  check_decimal(L, 1, &a);
  check_decimal(L, 2, &b);
  int scale = check_scale(L, 3);
  const char *mode = modes[luaL_checkoption(L, 4, "half-up", modes)];
  if (is_zero(&b)) return luaL_error(L, "decimal division by zero");
  int zeros = 0;
  while (b.digits[zeros] == 0) zeros++;
  memmove(b.digits, b.digits + zeros, (size_t)(b.count - zeros));
  b.count -= zeros;
  int total = a.count + (scale + 1 + b.scale - a.scale > 0 ? scale + 1 + b.scale - a.scale : 0);
  check_size(L, total);
  lh_charge(L, (uint64_t)total * (uint64_t)b.count);
  for (int i = 0; i < total; i++) {
    int zero = 0;
    while (zero < remainder.count && remainder.digits[zero] == 0) zero++;
    memmove(remainder.digits, remainder.digits + zero, (size_t)(remainder.count - zero));
    remainder.count -= zero;
    remainder.digits[remainder.count++] = i < a.count ? a.digits[i] : 0;
    quotient.digits[quotient.count++] = take_out(&remainder, &b);
  }
  quotient.scale = a.scale + (total - a.count) - b.scale;
  if (!is_zero(&remainder)) {
    quotient.digits[quotient.count++] = 1;
    quotient.scale++;
  }
  quotient.negative = a.negative != b.negative;
  round_to(&quotient, scale, mode);
  return push_decimal(L, &quotient);
}

static int compare(lua_State *L) {
  decimal a, b;
  check_decimal(L, 1, &a);
  check_decimal(L, 2, &b);
  align(L, &a, &b);
  int order = compare_magnitudes(&a, &b);
  if (a.negative != b.negative) order = a.negative ? -1 : 1;
  else if (a.negative) order = -order;
  lua_pushinteger(L, (order > 0) - (order < 0));
  return 1;
}

static int is_valid(lua_State *L) {
  decimal d;
  bool valid = lua_isinteger(L, 1);
  if (lua_type(L, 1) == LUA_TSTRING)
    valid = lua_rawlen(L, 1) == strlen(lua_tostring(L, 1)) && read_decimal(&d, lua_tostring(L, 1));
  lua_pushboolean(L, valid);
  return 1;
}

void lh_open_decimal(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"add", add},         {"sub", subtract},        {"mul", multiply},     {"div", divide},
      {"compare", compare}, {"round", round_decimal}, {"isValid", is_valid}, {NULL, NULL},
  };
  lh_push_library(L, "decimal");
  luaL_setfuncs(L, functions, 0);
  lua_pop(L, 1);
}
