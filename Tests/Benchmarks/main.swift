// Measures what the layers cost: swift run -c release Benchmarks [PART OF A NAME]

import Foundation

#if DEBUG
print("This is a debug build: its numbers mean nothing. Use: swift run -c release Benchmarks")
#endif

let folder = FileManager.default.temporaryDirectory
  .appending(path: "pipeline-benchmarks-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

let part = CommandLine.arguments.dropFirst().first ?? ""
for benchmark in try Benchmark.sqlite(in: folder) + Benchmark.lua()
where part.isEmpty || benchmark.name.contains(part) {
  print(try benchmark.line())
}
print("peak memory of the process: \(Platform.peakMemory / 1_048_576) MiB")
