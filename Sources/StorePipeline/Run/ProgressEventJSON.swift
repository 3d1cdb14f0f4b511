import Foundation
import Formats
import OperatingSystem

extension ProgressEvent {
  /// Whether a line, without its end, is an event as ``json`` writes it.
  static func isLine(_ line: some Sequence<UInt8>) -> Bool {
    let value = try? JSONValue(reading: Array(line), limits: .json)
    return value?["event"]?.string.flatMap(Kind.init(rawValue:)) != nil && value?["run"] != nil
  }

  /// The event as one line of the file of `--events`, without the line end.
  ///
  /// `event`, `time`, `run`, `store`, `stage`, `entity`, `rows`, `total`, `bytes`, `fraction` and
  /// `remaining` are always there; what does not apply is null. `message` and `status` come with
  /// the events that have one, what a run has done with its last; where it is, `path`, `host`,
  /// `inode` and `shared`, with its first and last.
  public var json: String {
    let time = TimeText(time.timeIntervalSince1970).precise
    var members: [JSONValue.Member] = [
      .init("event", .string(kind.rawValue)),
      .init("time", .string(time)),
      .init("run", .string(run)),
      .init("store", .string(store)),
      .init("stage", stage.map(JSONValue.string) ?? .null),
      .init("entity", entity.map(JSONValue.string) ?? .null),
      .init("rows", .integer(Int64(rows))),
      .init("total", total.map { .integer(Int64($0)) } ?? .null),
      .init("bytes", .integer(Int64(bytes))),
      .init("fraction", Self.rounded(fraction, to: 10_000)),
      .init("remaining", Self.rounded(remaining, to: 10)),
    ]
    if [.runStarted, .runFinished].contains(kind) {
      let path = JSONRunSummary.path(of: store)
      members += [.init("path", .string(path)), .init("host", .string(Machine.name))]
      if let inode = FileSystem.entry(following: path)?.identity.inode {
        members.append(.init("inode", .integer(Int64(truncatingIfNeeded: inode))))
        if (try? FileSystem.isRemote(path)) == true { members.append(.init("shared", true)) }
      }
    }
    if let message { members.append(.init("message", .string(message))) }
    if let status { members.append(.init("status", .integer(Int64(status)))) }
    if let summary { members += JSONRunSummary.brief(summary) }
    return JSONValue.object(members).text()
  }

  private static func rounded(_ number: Double?, to parts: Double) -> JSONValue {
    number.map { .real(($0 * parts).rounded() / parts) } ?? .null
  }
}
