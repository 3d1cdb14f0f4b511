import CoreDataStore
import Foundation
import StorePipeline

/// `pipeline fleet`: one picture of many stores.
struct FleetCommand: Command {
  static let name = "fleet"
  static let summary = "Say what many stores are, how runs ended, and what to do next."
  static let discussion = """
    It looks for stores below the folders and reads what runs have left next to them: their state, \
    their summary, their rejected objects. Reports in these folders are read too. Of a store only \
    the schema and the metadata are read, and nothing is changed. Links in a folder, hidden \
    entries and names that are not UTF-8 are left out, and a warning counts them.

    --events reads what other machines have sent: files that `pipeline run --events` wrote, or \
    what `pipeline run --json` printed. A file with events at its beginning is one of them \
    wherever it is named: of `--events *.log`, a shell gives the option the first file alone. A \
    store is known by its path: of two files that name it, the later run counts. Machines that \
    share a disk share a store; otherwise a path is a store of each machine. Where events name \
    several machines, each store that is not here is shown with its machine. A run that was \
    refused before it had a work folder is known by its events alone.

    --list prints the stores that are WHICH, one a line, for `run --stores-from`: a status, "to \
    be run", "to be resumed", "failed" or "done", a machine that events name, or a part of what \
    the table says of a cause. "anna:3" are those with status 3 on the machine anna. The status is \
    1 when a folder cannot be read, because the list may lack stores.

    Failures of one cause stand together, with one store as an example. Without --models, versions \
    have the names that runs have recorded. The status is 1 when a store needs a person: its last \
    run ended with 1, 2 or 3, or it cannot be read; and when a folder cannot be read.
    """
  static let examples = [
    Example("Look at a folder of stores", "pipeline fleet stores/"),
    Example("As a page", "pipeline fleet stores/ reports/ --report fleet.html"),
    Example("The damaged stores, as a list", "pipeline fleet stores/ --list 3"),
    Example("From what machines have sent", "pipeline fleet --events a.events --events b.events"),
  ]
  static let arguments: [Argument<Self>] = [
    .repeating(
      "folder", \.paths, "Folders with stores, work folders and reports; or single files.",
      isRequired: false, takes: .folder),
    .repeated(
      "events", value: "FILE", \.events, "Events of runs, or what run --json printed.",
      takes: .file),
    .repeated(
      "models", value: "PATH", \.models, "Models to name the versions by.", takes: .file),
    .option(
      "report", value: "PATH", \.report,
      "Write the picture to PATH, an .html or .json; an earlier picture there is replaced.",
      takes: .written(.new)),
    .option(
      "list", value: "WHICH", \.list, "Print the stores of a status or a cause, one a line."),
  ]
  static let shared: SharedOptions = .json

  var paths: [String] = []
  var events: [String] = []
  var models: [String] = []
  var report: String?
  var list: String?

  func run(_ context: Context) async throws -> ExitStatus {
    guard !paths.isEmpty || !events.isEmpty else {
      throw UsageError("no folder is given, and no --events")
    }
    let file = try reportFile()
    let picture = try await look()
    let console = context.console
    if let file {
      try file.replace(file.path.hasSuffix(".json") ? picture.json + "\n" : picture.html)
    }
    for words in picture.leftOut { console.warn(words) }
    if let list {
      for folder in picture.unseen { console.warn("cannot read \(folder)") }
      show(picture.stores(of: list), of: list, console)
      return picture.unseen.isEmpty ? .done : .no
    }
    console.result(
      context.options.json
        ? picture.json
        : picture.text(width: console.reportWidth, style: console.outputStyle))
    if let file { console.note("written: \(file.path)") }
    return picture.status == 0 ? .done : .no
  }

  private func look() async throws -> FleetPicture {
    var choices = FleetPicture.Choices()
    choices.models = models.isEmpty ? nil : try ModelSource(models)
    // A shell that puts several files behind --events gives the option the first of them alone.
    let logs = Set(paths.filter { FleetPicture.hasEvents($0) })
    choices.events = events + paths.filter { logs.contains($0) }
    let others = paths.filter { !logs.contains($0) }
    return try await FleetPicture.look(at: FleetPicture.Search(others), choices)
  }

  private func show(_ stores: [FleetPicture.Member], of list: String, _ console: Console) {
    guard !stores.isEmpty else {
      return console.note("no store is \(list.quoted), and no cause has it")
    }
    let hosts = Set(stores.compactMap(\.host)).sorted()
    if let first = hosts.first, hosts.count > 1 {
      console.note(
        "these are paths on \(hosts.joined(separator: ", ")); "
          + "--list \("\(first):\(list)".quoted) lists those of one machine")
    }
    // By their bytes: names that differ in how their characters are composed are two files.
    var seen: Set<[UInt8]> = []
    let paths = stores.map(\.store).filter { seen.insert(Array($0.utf8)).inserted }
    console.output.write(verbatim: StoreList.text(paths))
  }

  private func reportFile() throws -> NewFile? {
    guard let report else { return nil }
    guard [".html", ".json"].contains(where: report.hasSuffix) else {
      throw UsageError("--report takes a file that ends in .html or .json, not \(report.quoted)")
    }
    let file = NewFile(path: report)
    guard let old = FileManager.default.contents(atPath: report), FleetPicture.isPicture(old) else {
      try file.checkAbsence()
      return file
    }
    return file
  }
}
