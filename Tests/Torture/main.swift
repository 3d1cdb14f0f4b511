// Ends commands at each of their calls that change a file, in every way:
// Torture quick|full [PART OF A MODE'S NAME [ONE POINT OF SO MANY]]

import CoreDataStore
import Foundation

let words = Array(CommandLine.arguments.dropFirst())
switch words.first {
case "quick", "full":
  let torture = try Torture(
    isFull: words[0] == "full", part: words.count > 1 ? words[1] : "",
    sparing: words.count > 2 ? max(1, Int(words[2]) ?? 1) : 1)
  exit(try torture.run() ? 0 : 1)
case "hold" where words.count == 3:
  guard let work = Holder.Work(rawValue: words[2]) else { exit(2) }
  try Holder.hold(URL(filePath: words[1]), work)
case "look" where words.count == 5:
  let problem = try Look(folder: words[1], template: words[2], stage: words[3], status: words[4])
    .problem()
  print(problem ?? "all as it must be")
  exit(problem == nil ? 0 : 1)
default:
  FileHandle.standardError.write(Data("usage: Torture quick|full [PART [EVERY]]\n".utf8))
  exit(2)
}
