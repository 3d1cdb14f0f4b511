// Ends commands at each of their calls that change a file, in every way:
// Torture quick|full [PART OF A MODE'S NAME [ONE POINT OF SO MANY]]

import CoreDataStore
import Foundation

do {
  exit(try status(of: Array(CommandLine.arguments.dropFirst())))
} catch {
  FileHandle.standardError.write(Data("Torture: \(error)\n".utf8))
  exit(1)
}

/// Does what the words say; the status to end with.
func status(of words: [String]) throws -> Int32 {
  switch words.first {
  case "quick", "full":
    let torture = try Torture(
      isFull: words[0] == "full", part: words.count > 1 ? words[1] : "",
      sparing: words.count > 2 ? max(1, Int(words[2]) ?? 1) : 1)
    return try torture.run() ? 0 : 1
  case "hold" where words.count == 3:
    guard let work = Holder.Work(rawValue: words[2]) else { return 2 }
    try Holder.hold(URL(filePath: words[1]), work)
    return 0
  case "swap" where words.count == 2:
    return try Shape.swap(words[1])
  case "look" where words.count == 5:
    let look = Look(folder: words[1], template: words[2], stage: words[3], status: words[4])
    let problem = try look.problem()
    print(problem ?? "all as it must be")
    return problem == nil ? 0 : 1
  default:
    FileHandle.standardError.write(Data("usage: Torture quick|full [PART [EVERY]]\n".utf8))
    return 2
  }
}
