// Makes Notes.sqlite, a small store, and puts its models beside it: DemoStore FOLDER

import Foundation
import StoreTestSupport

guard let path = CommandLine.arguments.dropFirst().first else {
  FileHandle.standardError.write(Data("usage: DemoStore FOLDER\n".utf8))
  exit(2)
}
let folder = URL(filePath: path)
if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(at: folder) }
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
try NotesSample.lay(in: folder)
