// Ends a run at each of its calls that change a file, in every way: Torture quick|full

import Foundation

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "make" {
  let folder = URL(filePath: CommandLine.arguments[2])
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  try Sample.lay(in: folder)
}
