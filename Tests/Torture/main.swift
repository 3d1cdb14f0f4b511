// Ends a run at each of its calls that change a file, in every way: Torture quick|full

import CoreDataStore
import Foundation

let scratch = URL(
  filePath: ProcessInfo.processInfo.environment["TORTURE_FOLDER"]
    ?? FileManager.default.temporaryDirectory.path
).appending(path: "torture-\(ProcessInfo.processInfo.processIdentifier)")
try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: scratch) }
var campaign = Campaign(scratch: scratch)
let words = CommandLine.arguments
let bench = try Bench(
  words.contains("swap") ? .swap : .run, method: words.contains("rename") ? .rename : .replace,
  in: scratch)
print(bench.calls.count, "calls")
let step = Int(words.last ?? "1") ?? 1
for mode in Mode.allCases where words.contains(mode.rawValue) || words.contains("all") {
  campaign.every(step, mode, "run", bench)
}
if words.contains("twice") { campaign.twice(every: step, "run", bench) }
