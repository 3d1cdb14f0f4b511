// Makes a large store, its models, the pipelines that migrate it and the SQL of its next versions:
// LargeStore FOLDER things|pictures|wide|keys ROWS, or
// LargeStore FOLDER entities|family|attributes|links COUNT

import Foundation

let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 3, let count = Int(words[2]), count > 0,
  let workload = Workload.named(words[1], count)
else {
  let names = Workload.names.joined(separator: "|")
  FileHandle.standardError.write(Data("usage: LargeStore FOLDER \(names) COUNT\n".utf8))
  exit(2)
}
let folder = URL(filePath: words[0])
if FileManager.default.fileExists(atPath: words[0]) {
  try FileManager.default.removeItem(at: folder)
}
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
try workload.write(into: folder, count: count)
