import Lua
import Testing

@Suite("Helpers for scripts")
struct HelperTests {
  @Test(
    "each helper gives what it says",
    arguments: [
      ("text.trim('  a b\\t\\n')", "a b"),
      ("text.trim('\\u{a0}a')", "\u{a0}a"),
      ("text.trimStart('  a ')", "a "),
      ("text.trimEnd('  a ')", "  a"),
      ("table.concat(text.split('a,b,,c', ','), '|')", "a|b||c"),
      ("table.concat(text.split('a, b, c', ', ', 2), '|')", "a|b, c"),
      ("#text.split('', ',')", 1),
      ("text.upperFirst('élan')", "élan"),
      ("text.upperFirst('word')", "Word"),
      ("text.upperFirst('')", ""),
      ("text.lower('ÀB')", "Àb"),
      ("text.upper('straße')", "STRAßE"),
      ("text.length('naïve 🎉')", 7),
      ("text.length('\\xff\\xc3')", 2),
      ("(text.replace('a.b.c', '.', '%1'))", "a%1b%1c"),
      ("select(2, text.replace('aaa', 'aa', 'b'))", 1),
      ("(text.replace('a.b.c', '.', '-', 1))", "a-b.c"),
      ("text.startsWith('prefix', 'pre')", true),
      ("text.startsWith('pre', 'prefix')", false),
      ("text.endsWith('suffix', 'fix')", true),
      ("text.endsWith('', '')", true),
      ("text.contains('haystack', 'st')", true),
      ("date.iso(0)", "2001-01-01T00:00:00Z"),
      ("date.iso(-1)", "2000-12-31T23:59:59Z"),
      ("date.iso(0.5)", "2001-01-01T00:00:00.5Z"),
      ("date.iso(-63114076800)", "0000-12-30T00:00:00Z"),
      ("date.iso(0.9999999)", "2001-01-01T00:00:01Z"),
      ("date.parse('2001-01-01')", .real(0)),
      ("date.parse('2001-01-01T01:00:00+01:00')", .real(0)),
      ("date.parse('2001-01-01T00:00:00.25Z')", .real(0.25)),
      ("date.parse('2000-02-29T00:00Z')", .real(-26_524_800)),
      ("date.parse('1900-02-29')", nil),
      ("date.parse('2001-13-01')", nil),
      ("date.parse('yesterday')", nil),
      ("date.parse('2001-01-01\\0')", nil),
      ("date.parse('2001-01-01 01:00')", .real(3600)),
      ("date.parse('2.1.2001', 'd.M.yyyy')", .real(86400)),
      ("date.parse('02.01.2001', 'd.M.yyyy')", .real(86400)),
      ("date.parse('2.1.2001', 'dd.MM.yyyy')", nil),
      ("date.parse('1/2/2001 0:01', 'M/d/yyyy H:mm')", .real(86460)),
      ("date.parse('20010102', 'yyyyMMdd')", .real(86400)),
      ("date.parse('2 Jan 2001', 'd MMM yyyy')", .real(86400)),
      ("date.parse('january 2, 2001', 'MMM d, yyyy')", .real(86400)),
      ("date.parse('2 Janu 2001', 'd MMM yyyy')", nil),
      ("date.parse('1 May 2001', 'd MMM yyyy')", .real(10_368_000)),
      ("date.parse('1/1/2001 12:00:05 AM', 'M/d/yyyy h:mm:ss a')", .real(5)),
      ("date.parse('1/1/2001 1:00 pm', 'M/d/yyyy h:mm a')", .real(46800)),
      ("date.parse('AM 9:30 2001-01-02', 'a h:mm yyyy-MM-dd')", .real(120_600)),
      ("date.parse('2001-01-01 pm 12', 'yyyy-MM-dd a h')", .real(43_200)),
      ("date.parse('PM 13:00 2001-01-01', 'a h:mm yyyy-MM-dd')", nil),
      ("date.parse('1/1/2001 13:00 PM', 'M/d/yyyy h:mm a')", nil),
      ("date.parse('30.2.2001', 'd.M.yyyy')", nil),
      ("date.parse('24.12.2001 ', 'd.M.yyyy')", nil),
      ("date.parse('24.12.2001\\0', 'd.M.yyyy')", nil),
      ("date.parse('', 'd.M.yyyy')", nil),
      ("select(2, date.parse('soon', 'd.M.yyyy'))", "not a date in the form d.M.yyyy"),
      ("date.unix(0)", .real(978_307_200)),
      ("date.fromUnix(978307200)", .real(0)),
      ("date.iso(date.parse('1969-07-20T20:17:40Z'))", "1969-07-20T20:17:40Z"),
      ("decimal.add('0.1', '0.2')", "0.3"),
      ("decimal.add('99.99', '0.01')", "100.00"),
      ("decimal.add('-5', 3)", "-2"),
      ("decimal.sub('1', '0.999999999999999999999999')", "0.000000000000000000000001"),
      ("decimal.sub('0.5', '0.5')", "0.0"),
      ("decimal.mul('19.99', '3')", "59.97"),
      ("decimal.mul('-0.5', '0.5')", "-0.25"),
      (
        "decimal.mul('99999999999999999999', '99999999999999999999')",
        "9999999999999999999800000000000000000001"
      ),
      ("decimal.div('1', '3', 5)", "0.33333"),
      ("decimal.div('2', '3', 2)", "0.67"),
      ("decimal.div('2', '3', 2, 'down')", "0.66"),
      ("decimal.div('-7', '2', 0, 'floor')", "-4"),
      ("decimal.div('-7', '2', 0, 'ceiling')", "-3"),
      ("decimal.div('100', '8', 2)", "12.50"),
      ("decimal.div('1', '0.003', 1)", "333.3"),
      ("decimal.div('0.001', '100', 6)", "0.000010"),
      ("decimal.round('2.5', 0)", "3"),
      ("decimal.round('2.5', 0, 'half-even')", "2"),
      ("decimal.round('3.5', 0, 'half-even')", "4"),
      ("decimal.round('9.995', 2)", "10.00"),
      ("decimal.round('-0.001', 2)", "0.00"),
      ("decimal.round('1.2', 4)", "1.2000"),
      ("decimal.round('1e3', 0)", "1000"),
      ("decimal.round('1.5e-2', 3)", "0.015"),
      ("decimal.compare('1.0', '1')", 0),
      ("decimal.compare('-2', '1')", -1),
      ("decimal.compare('10', '9.99')", 1),
      ("decimal.isValid('12.5')", true),
      ("decimal.isValid('12,5')", false),
      ("decimal.isValid('1e999')", false),
      ("decimal.isValid('')", false),
      ("hex.encode('\\0\\xff')", "00ff"),
      ("hex.decode('00FF') == '\\0\\xff'", true),
      ("base64.encode('hello')", "aGVsbG8="),
      ("base64.decode('aGVsbG8=')", "hello"),
      ("sha256('abc')", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "uuid.parse('6ba7b810-9dad-11d1-80b4-00c04fd430c8')", "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
      ),
      ("uuid.parse('6ba7b810')", nil),
      ("#uuid.bytes('6BA7B810-9DAD-11D1-80B4-00C04FD430C8')", 16),
      (
        "uuid.text(uuid.bytes('6BA7B810-9DAD-11D1-80B4-00C04FD430C8'))",
        "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"
      ),
      ("uuid.named('a') == uuid.named('a') and uuid.named('a') ~= uuid.named('b')", true),
      ("uuid.named('a'):sub(15, 15)", "8"),
      ("json.encode({ b = { 1, 2.5, 'x' }, a = true })", "{\"a\":true,\"b\":[1,2.5,\"x\"]}"),
      ("json.encode({})", "[]"),
      ("json.decode('{\"a\": [1, null, 2.0]}').a[3]", .real(2)),
      ("plist.decode(plist.encode({ a = { 1, 'x', true } })).a[2]", "x"),
      ("plist.decode(plist.archive({ 'one', 'two' }))[2]", "two"),
      ("plist.decode(plist.archive({ when = { ['$date'] = 5.0 } })).when['$date']", .real(5)),
      ("plist.decode(plist.encode({ d = { ['$data'] = 'ab' } })).d['$data']", "ab"),
    ] as [(String, LuaValue)])
  func helper(expression: String, expected: LuaValue) throws {
    let result = try LuaState().run("return (\(expression))", name: "a.lua")
    #expect(result == [expected])
  }

  @Test(
    "a wrong argument is an error that names it",
    arguments: [
      ("text.split('a', '')", "bad argument #2 to 'split' (the separator is empty)"),
      ("text.trim({})", "bad argument #1 to 'trim' (string expected, got table)"),
      (
        "decimal.add('x', 1)",
        "bad argument #1 to 'add' (not a decimal number of at most 400 digits)"
      ),
      (
        "decimal.add(0.5, 1)",
        "bad argument #1 to 'add' (decimal (a text or an integer) expected, got number)"
      ),
      ("decimal.div(1, 0, 2)", "decimal division by zero"),
      ("decimal.div(1, 3)", "bad argument #3 to 'div' (number expected, got no value)"),
      ("decimal.round('1', 0, 'up-ish')", "bad argument #3 to 'round' (invalid option 'up-ish')"),
      ("date.parse('1', 'd.M.yy')", "bad argument #2 to 'parse' (a form has yyyy"),
      ("date.parse('1', 'd.M')", "bad argument #2 to 'parse' (a form has yyyy"),
      ("date.parse('1', 'd.d.M.yyyy')", "bad argument #2 to 'parse' (a form has yyyy"),
      ("date.parse('1', 'd.M.yyyy h')", "bad argument #2 to 'parse' (a form has yyyy"),
      ("date.parse('1', 'd.M.yyyy EEE')", "bad argument #2 to 'parse' (a form has yyyy"),
      ("date.iso('soon')", "bad argument #1 to 'iso' (number expected, got string)"),
      (
        "date.iso(1/0)",
        "bad argument #1 to 'iso' (a date is a number of seconds within 30,000 years of 2001)"
      ),
      ("hex.decode(1)", "bad argument #1 to 'decode' (string expected, got a number)"),
      ("base64.encode()", "bad argument #1 to 'encode' (string expected, got nothing)"),
      ("uuid.text('short')", "bad argument #1 to 'text' (16 bytes expected, got 5)"),
      ("json.encode(0/0)", "JSON has no"),
      ("json.encode({ 1, x = 2 })", "a table for JSON is a list or has named fields, not both"),
      ("json.encode('\\xff')", "a string for JSON must be UTF-8"),
      ("plist.encode({ ['$data'] = 'ab', b = 1 })", "a table with $data stands for that value"),
      ("plist.encode({ ['$date'] = 5, 'x' })", "a table with $date stands for that value"),
      ("plist.archive({ ['$date'] = 5, ['$data'] = 'x' })", "a table with $data stands for"),
      ("plist.archive('$null')", "keyed archive: the text \"$null\" means nil there"),
      ("hex.decode('0x')", "hexadecimal text, character 2: not a digit"),
      ("base64.decode('aGV-')", "base64 text, character 4: a character not of it"),
    ])
  func mistakes(expression: String, message: String) throws {
    let error = #expect(throws: LuaError.self) {
      try LuaState().run("return \(expression)", name: "a.lua")
    }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "")")
  }
}
