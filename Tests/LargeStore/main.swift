// Makes a large store, its models, the pipelines that migrate it and the SQL of its next versions:
// LargeStore FOLDER things|pictures|wide ROWS

import Foundation

let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 3, let workload = Workload.all.first(where: { $0.name == words[1] }),
  let rows = Int(words[2]), rows > 0
else {
  let names = Workload.all.map(\.name).joined(separator: "|")
  FileHandle.standardError.write(Data("usage: LargeStore FOLDER \(names) ROWS\n".utf8))
  exit(2)
}
let folder = URL(filePath: words[0])
if FileManager.default.fileExists(atPath: words[0]) {
  try FileManager.default.removeItem(at: folder)
}
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
try workload.write(into: folder, rows: rows)
