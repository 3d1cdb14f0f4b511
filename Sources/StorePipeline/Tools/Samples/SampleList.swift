internal import Formats

/// The samples there are, for people and for programs.
package struct SampleList {
  /// What is in the folder of a sample that was made.
  package struct Made {
    private let folder: String
    private let names: [String]

    /// A folder and what is in it.
    package init(folder: String, names: [String]) {
      self.folder = folder
      self.names = names
    }

    /// The paths, one a line.
    package var text: String {
      names.filter { !$0.hasPrefix(".") }.map { "\(folder)/\($0)".oneLine }.joined(separator: "\n")
    }

    package var json: String {
      let document: JSONValue = [
        "format": 1, "folder": .string(folder), "files": .texts(names),
      ]
      return document.text(.pretty)
    }
  }

  private let samples: [Sample]

  package init(_ samples: [Sample]) { self.samples = samples }

  package func text(_ width: Int) -> String {
    var table = TextTable()
    for sample in samples { table.add(sample.name, sample.summary) }
    return table.lines(width: width).joined(separator: "\n")
  }

  package var json: String {
    let document: JSONValue = [
      "format": 1,
      "samples": .array(
        samples.map { ["name": .string($0.name), "summary": .string($0.summary)] }),
    ]
    return document.text(.pretty)
  }
}
