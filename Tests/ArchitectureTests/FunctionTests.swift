import Testing

@Suite("Where functions start and end")
struct FunctionTests {
  @Test("a signature over several lines, strings and closures do not confuse the count")
  func swift() {
    let file = SourceFile(
      "A.swift",
      """
      struct A {
        var stored: Int
        var short: Int { 1 }
        func f<T>(
          of body: () -> Void = { }, in text: String = "}"
        ) async throws -> [T]
        where T: Equatable {
          // }
          body()
        }
        init() { self.init(1) }
        deinit {
        }
      }
      protocol B {
        func required(_ a: Int) -> Int
        var value: Int { get }
        func other()
      }
      """)
    #expect(
      file.functions() == [
        Function(line: 3, length: 1), Function(line: 4, length: 7), Function(line: 11, length: 1),
        Function(line: 12, length: 2), Function(line: 17, length: 1),
      ])
  }

  @Test("C functions are distinguished from tables, types and macros")
  func c() {
    let file = SourceFile(
      "a.c",
      """
      #include <a.h>
      #define LOOP(x) do { \\
          x; } while (0)
      struct a { int b; };
      static const int table[] = { 1, 2 };
      int declared(void);

      /* A brace: { */
      static int f(int a,
                   char *b)
      {
        if (a) { return '{'; }
        return 0;
      }
      int g(void) { return 1; }
      """)
    #expect(file.functions() == [Function(line: 9, length: 6), Function(line: 15, length: 1)])
  }
}
