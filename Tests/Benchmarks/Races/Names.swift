/// What contenders are called that figure in a goal.
enum Names {
  static let insertSelect = "sqlite3 INSERT ... SELECT, indexes after"
  static let copy = "cp and fsync"
  static let c = "C, SQLite and liblua"
  static let sqliteUtils = "sqlite-utils"
  static let pillow = "Python and Pillow"
  static let staged = "pipeline, staged"
  static let one = "pipeline, staged, one worker"
  static let two = "pipeline, staged, two workers"
  static let complete = "pipeline, complete with backup and swap"
  static let dryRun = "pipeline, dry run with diff"
  static let script = "Python, a backup and ALTER TABLE each"
  static let oneJob = "pipeline, --jobs 1"
  static let twoJobs = "pipeline, --jobs 2"
  static let find = "pipeline, ctx.find or new"
  static let dedupe = "pipeline, new, then dedupe"
}
