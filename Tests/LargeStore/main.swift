// Makes a large store, the versions of its model and two pipelines of scripts:
// LargeStore FOLDER ITEMS [PICTURE-BYTES]

import Foundation

let words = CommandLine.arguments.dropFirst()
guard let path = words.first, let items = words.dropFirst().first.flatMap(Int.init),
  let bytes = Int(words.dropFirst(2).first ?? "0"), items > 0, bytes >= 0
else {
  FileHandle.standardError.write(Data("usage: LargeStore FOLDER ITEMS [PICTURE-BYTES]\n".utf8))
  exit(2)
}
let folder = URL(filePath: path)
if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(at: folder) }
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
try ThingsModel.write(into: folder)
try ThingsScripts.write(into: folder)
try ThingsStore(items: items, pictureBytes: bytes).make(in: folder)
