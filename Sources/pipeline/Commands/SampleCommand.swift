import Foundation
import StorePipeline

/// `pipeline sample`: makes a store to try things on.
struct SampleCommand: Command {
  /// How much of it is made.
  enum Size: String, ArgumentChoice { case small, normal, large }

  static let name = "sample"
  static let summary = "Make a store to try things on, with its models and scripts."
  static let discussion = """
    Without a name the samples are listed. DIR becomes a folder with all that a migration takes; \
    what was made is the same every time. The documentation walks through each.

    `pipeline sample from STORE` takes a small store for tests from a real one.
    """
  static let examples = [
    Example("Which samples are there?", "pipeline sample"),
    Example("Make the one of Getting Started", "pipeline sample notes notes"),
    Example("In a moment", "pipeline sample wal-trap trap --size small"),
  ]
  static let arguments: [Argument<Self>] = [
    .optional("name", \.sample, "The sample; without it they are listed."),
    .optional(
      "dir", \.folder, "The folder to make; it must not be there yet, or be empty.",
      takes: .written(.folder)),
    .choice("size", value: "SIZE", \.size, "How much of it is made; normal unless given."),
  ]
  static let shared: SharedOptions = .json

  var sample: String?
  var folder: String?
  var size = Size.normal

  func run(_ context: Context) throws -> ExitStatus {
    let console = context.console
    guard let name = sample else {
      let samples = SampleList(Sample.all)
      console.result(context.options.json ? samples.json : samples.text(console.reportWidth))
      return .done
    }
    guard let sample = Sample.all.first(where: { $0.name == name }) else {
      let names = Sample.all.map(\.name).joined(separator: ", ")
      throw UsageError("there is no sample \(name.word); there are \(names)")
    }
    guard let folder else { throw UsageError("DIR is missing: the folder to make") }
    guard let program = Bundle.main.executableURL else {
      throw CommandFailure(
        .refused, "cannot find the samples: the place of this program is unknown")
    }
    let made = try SampleFolder(of: program)
      .lay(sample, in: folder, size: Sample.Size(rawValue: size.rawValue) ?? .normal)
    let list = SampleList.Made(folder: folder, names: made)
    console.result(context.options.json ? list.json : list.text)
    return .done
  }
}
