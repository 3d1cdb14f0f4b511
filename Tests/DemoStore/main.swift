// Makes Demo.sqlite, a small store in the manner of Core Data: DemoStore FOLDER

import Foundation

guard let folder = CommandLine.arguments.dropFirst().first else {
  FileHandle.standardError.write(Data("usage: DemoStore FOLDER\n".utf8))
  exit(2)
}
try FileManager.default.createDirectory(
  at: URL(filePath: folder), withIntermediateDirectories: true)
let store = DemoStore(url: URL(filePath: folder).appending(path: "Demo.sqlite"))
try store.makeAfresh()
