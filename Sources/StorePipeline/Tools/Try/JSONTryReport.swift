internal import Formats

package struct JSONTryReport {
  private let report: TryReport

  /// A trial.
  package init(_ report: TryReport) { self.report = report }

  /// The document.
  package var text: String {
    JSONValue.object([
      .init("format", 1), .init("script", .string(report.script)),
      .init("entity", .string(report.entity)), .init("source", .string(report.source)),
      .init("target", .string(report.target)), .init("through", .texts(report.through)),
      .init("objects", .array(report.objects.map(object))),
      .init("warnings", .texts(report.warnings)), .init("printed", .texts(report.printed)),
      .init("failure", report.failure.map(Self.failure) ?? .null),
      .init("failed", .integer(Int64(report.failed))),
    ]).text(.pretty)
  }

  private func object(_ object: TryReport.Object) -> JSONValue {
    .object([
      .init("source", record(object.source)), .init("made", .array(object.made.map(record))),
      .init("failure", object.failure.map(Self.failure) ?? .null),
      .init("endsBefore", .text(object.endsBefore)),
    ])
  }

  private func record(_ record: TryReport.Record) -> JSONValue {
    .object([
      .init("entity", .string(record.entity)), .init("pk", .integer(record.key)),
      .init(
        "properties",
        .object(record.properties.map { .init($0.name, .string($0.text)) })),
    ])
  }

  /// A script that failed, as JSON.
  static func failure(_ failure: ScriptFailure) -> JSONValue {
    .object([
      .init("file", .string(failure.path)), .init("line", .integer(Int64(failure.line))),
      .init("message", .string(failure.message)), .init("doing", .string(failure.doing)),
    ])
  }
}
