// Runs a command and notes the most memory it held, in bytes: Measure FILE COMMAND...

import Foundation

let words = Array(CommandLine.arguments.dropFirst())
guard words.count >= 2 else {
  FileHandle.standardError.write(Data("usage: Measure FILE COMMAND...\n".utf8))
  exit(2)
}
let process = Process()
process.executableURL = URL(filePath: "/usr/bin/env")
process.arguments = Array(words.dropFirst())
try process.run()
process.waitUntilExit()
try Data("\(Platform.peakMemoryOfChildren)".utf8).write(to: URL(filePath: words[0]))
exit(process.terminationStatus + (process.terminationReason == .exit ? 0 : 128))
