import Testing

@Suite("What counts as code")
struct CodeMaskTests {
  @Test(
    "comments and literals of Swift are blanked, the rest stays in place",
    arguments: [
      ("a // b", "a     "),
      ("a /* b /* c */ d */ e", "a                   e"),
      (#"a("b")"#, "a(   )"),
      (#"a("b\"c", d)"#, "a(      , d)"),
      (#"a("b\(c("d"))e")"#, #"a(  \(c(   ))  )"#),
      (##"a(#"b"c\"#, d)"##, "a(        , d)"),
      ("a(\"\"\"\n  { \"b\" \n  \"\"\")", "a(   \n        \n     )"),
      ("#if os(Linux)", "#if os(Linux)"),
      ("x(/\"/)\n{", "x(/   \n{"),
    ])
  func swift(text: String, code: String) {
    #expect(String(decoding: CodeMask.code(of: text, language: .swift), as: UTF8.self) == code)
  }

  @Test(
    "comments and literals of C are blanked, the rest stays in place",
    arguments: [
      ("a /* b /* c */ d", "a              d"),
      (#"a("b\"", c)"#, "a(     , c)"),
      (#"a('"', '\'', b)"#, "a(   ,     , b)"),
      ("#define A 1 // b", "#define A 1     "),
    ])
  func c(text: String, code: String) {
    #expect(String(decoding: CodeMask.code(of: text, language: .c), as: UTF8.self) == code)
  }
}
