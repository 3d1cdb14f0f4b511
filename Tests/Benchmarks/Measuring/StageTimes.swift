import Formats
import Foundation

/// How long each stage of a run took, as its events tell.
enum StageTimes {
  /// The seconds by stage; nothing where there is no such file.
  static func read(_ file: URL) -> [String: Double] {
    guard let data = try? Data(contentsOf: file) else { return [:] }
    return times(of: String(decoding: data, as: UTF8.self))
  }

  /// The seconds by stage, of the file's lines.
  static func times(of lines: String) -> [String: Double] {
    var starts: [String: Date] = [:]
    var times: [String: Double] = [:]
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for line in lines.split(separator: "\n") {
      guard let event = try? JSONValue(reading: Array(line.utf8)),
        let stage = event["stage"]?.string, let kind = event["event"]?.string,
        let time = (event["time"]?.string).flatMap({ try? style.parse($0) })
      else { continue }
      if kind == "stage-started" { starts[stage] = time }
      // A pipeline may have several of one kind, one after the other.
      if kind == "stage-finished", let start = starts.removeValue(forKey: stage) {
        times[stage, default: 0] += time.timeIntervalSince(start)
      }
    }
    return times
  }
}

extension Trial {
  /// Where a run tells what it does.
  var events: URL { folder.appending(path: "events.jsonl") }
}
