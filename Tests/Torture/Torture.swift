import CoreDataStore
import Foundation
import StoreReplacement

/// What `make torture` does.
struct Torture {
  /// Whether everything is done, or only the swap's own points.
  let isFull: Bool
  /// What the names of the modes contain that are to be done.
  let part: String
  /// Every so many of their points are.
  let sparing: Int

  private let scratch: URL
  private let build: URL

  init(isFull: Bool, part: String, sparing: Int) throws {
    (self.isFull, self.part, self.sparing) = (isFull, part, sparing)
    let environment = ProcessInfo.processInfo.environment
    // What waits for no disk is ten times as fast; a kill loses nothing that a disk would keep.
    let memory = "/dev/shm"
    let place =
      environment["TORTURE_FOLDER"]
      ?? (FileManager.default.isWritableFile(atPath: memory)
        ? memory : FileManager.default.temporaryDirectory.path)
    scratch = URL(filePath: place)
      .appending(path: "pipeline-torture-\(ProcessInfo.processInfo.processIdentifier)")
    build = URL(filePath: ".build")
  }

  /// Does it, prints the table and writes `.build/torture.json`; false when anything failed.
  func run() throws -> Bool {
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    let record = try Record(
      build.appending(path: isFull ? "torture-full.progress" : "torture-quick.progress"))
    var campaign = Campaign(scratch: scratch, record: record, part: part, sparing: sparing)
    if let obstacle = SecondSQLite.obstacle { skip("a second SQLite", obstacle) }
    Report.begin()
    if isFull { try everything(&campaign) } else { try swaps(&campaign) }
    try Report.write(campaign.scores, to: build.appending(path: "torture.json"))
    if part.isEmpty { try record.remove() }
    return campaign.scores.allSatisfy { $0.score.failures.isEmpty }
  }

  /// The swap's own points, in a minute or two.
  private func swaps(_ campaign: inout Campaign) throws {
    try shapes(&campaign, [.kill], every: 9)
    let layered = try Bench(.run, of: .layered, in: scratch)
    campaign.points(.kill, layered, every: 23)
    let short = try Bench(.run, of: .short, in: scratch)
    campaign.points(.torn, short, every: 31)
    let chain = try Bench(.run, of: .chain, in: scratch)
    campaign.points(.inputOutput, chain, every: 41)
    let swap = try Bench(.swap, in: scratch)
    campaign.points(.kill, swap)
    campaign.points(.torn, swap, every: 4)
    campaign.points(.inputOutput, swap, every: 2)
    campaign.points(.full, swap, every: 4)
    campaign.twice(swap, every: 61, then: 41)
    let rename = try Bench(.swap, .rename, in: scratch)
    campaign.points(.kill, rename, every: 3)
    campaign.points(.inputOutput, rename, every: 4)
    try Meetings(isFull: false, scratch: scratch).add(to: &campaign)
  }

  private func everything(_ campaign: inout Campaign) throws {
    try shapes(&campaign, Mode.allCases.filter { $0 != .interrupt })
    for course in Course.all { try course.add(to: &campaign, in: scratch) }
    try cutPower(&campaign)
    campaign.add("held by another process", Holder.all) { holder, folder in
      try holder.test(in: folder)
    }
    let run = try Bench(.run, in: scratch)
    let fleet = try FleetTest(run, in: scratch)
    campaign.add("two stores at a time, kill", Array(1...fleet.calls)) { point, folder in
      try fleet.kill(at: point, in: folder)
    }
    try Meetings(isFull: true, scratch: scratch).add(to: &campaign)
    fill(&campaign, run)
    try trace(&campaign, run)
  }

  /// Swaps by themselves, of stores of all shapes.
  private func shapes(_ campaign: inout Campaign, _ modes: [Mode], every step: Int = 1) throws {
    for (name, shape) in Shape.all where campaign.mayWant("a swap of \(name)") {
      let test = try ShapeTest(name, shape, in: scratch)
      for mode in modes { campaign.shapes(mode, test, every: step) }
    }
  }

  private func cutPower(_ campaign: inout Campaign) throws {
    guard campaign.mayWant("power cut") else { return }
    if let obstacle = PowerCut.obstacle(in: scratch) { return skip("power cuts", obstacle) }
    for setting in [
      Setting(.run, of: .layered), Setting(.run, of: .short), Setting(.run, of: .chain),
      Setting(.run),
      Setting(.run, .rename, of: .layered), Setting(.output, of: .layered),
    ] {
      campaign.powerCuts(try Bench(setting, in: scratch))
    }
  }

  private func fill(_ campaign: inout Campaign, _ run: Bench) {
    if let obstacle = FullDisk.obstacle() { return skip("a full file system", obstacle) }
    // What a run takes at most is less than eight times the store.
    let sizes = (0..<20).map { $0 * 80 << 10 }
    campaign.add("a full file system", sizes) { size, folder in
      try FullDisk.test(run, bytes: size, in: folder)
    }
  }

  private func trace(_ campaign: inout Campaign, _ run: Bench) throws {
    guard let program = Tracer.program else {
      return skip("killed from outside", "PIPELINE_KILLAT names no tracer")
    }
    let scratch = scratch
    campaign.add("run, killed from outside, system call by system call", ["before"]) { mode, _ in
      try Tracer.kill(program, run, every: 1, mode: mode, in: scratch)
    }
  }

  private func skip(_ what: String, _ why: String) { print("\(what): skipped, \(why)") }
}
