import StorePipeline
import Testing

@Suite("Which backups stay") struct BackupKeepTests {
  @Test(
    "which backups stay is a number or a time",
    arguments: [
      ("3", BackupKeep.count(3)), ("0", .count(0)), ("14 days", .days(14)), ("36 hours", .days(2)),
      ("-1", nil), ("soon", nil), ("", nil),
    ])
  func keep(text: String, expected: BackupKeep?) {
    #expect(BackupKeep(text) == expected)
  }
}
