import Testing

@testable import Benchmarks

@Suite("The table of what a run did with each file") struct UseTableTests {
  @Test("has the files written most first, and adds up those of which little was used")
  func text() {
    var trace = Trace(of: 1000, in: "/run")
    for line in [
      #"7 pwrite64(3</run/small>, ""..., 9, 0) = 9"#, #"7 pread64(3</run/other>, ""..., 8, 0) = 8"#,
      #"7 pread64(3</run/read>, ""..., 500, 0) = 500"#,
      #"7 pwrite64(3</run/most>, ""..., 2000, 0) = 2000"#, "7 fsync(3</run/synced>) = 0",
    ] { trace.add(line) }
    let lines = UseTable(trace, of: "M1").text.split(separator: "\n").map {
      $0.split(separator: "  ").map { $0.trimmingPrefix(" ") }
    }
    #expect(
      lines == [
        ["M1, by file", "written / S", "read / S", "syncs"], ["most", "2.00", "0.00", "0"],
        ["read", "0.00", "0.50", "0"], ["synced", "0.00", "0.00", "1"],
        ["all others", "0.01", "0.01", "0"],
      ])
  }
}
