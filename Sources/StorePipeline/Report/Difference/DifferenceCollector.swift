internal import CoreDataStore
internal import Formats
package import StoreMigration
internal import StoreReplacement

/// Gathers what a comparison finds into a report that does not grow with the stores.
package struct DifferenceCollector {
  /// How much a report may hold.
  package struct Limits: Sendable {
    /// The most objects that are reported one by one; a few of each group are reported anyway.
    package var objects = 100_000
    /// The most characters of all their values.
    package var characters = 30_000_000
    /// The most bytes of a picture.
    package var image = 60_000
    /// The most bytes of all pictures.
    package var images = 3_000_000
    /// How many objects of each group are reported anyway.
    package var perGroup = 5

    /// What a page can hold that still opens.
    package init() {}
  }

  private let limits: Limits
  private let reporting: ValueReporting
  private var groups = ChangeGroups()
  private let objects = DiskList()
  private var objectCount = 0
  private var listed: [Int: Int] = [:]
  private var characters = 0
  private var images: [ReportedImage] = []
  private var imagePlaces: [[UInt8]: Int] = [:]
  private var imageBytes = 0
  /// The object that came last: the same happens to many, one after the other.
  private var last: (object: ChangedObject, values: [ReportedChange], group: Int)?

  private let given: [String: [String: String]]

  /// An empty report.
  package init(
    display: ValueDisplay, limits: Limits = Limits(), given: [String: [String: String]] = [:]
  ) {
    (self.limits, self.given) = (limits, given)
    reporting = ValueReporting(display: display)
  }

  /// What a comparison has to hand on for it: pictures, where they may be shown.
  package func contentLimit(showsImages: Bool) -> Int {
    showsImages && reporting.display.isReadable ? limits.image : 0
  }

  /// Adds an object.
  ///
  /// - Throws: `Failure` when it can be kept nowhere.
  package mutating func add(_ object: ChangedObject) throws {
    let values = object.values.map { change in
      let shown = reporting.values(change) { place(of: $0, $1) }
      return ReportedChange(
        attribute: change.attribute, change: change.change, old: shown.old, new: shown.new)
    }
    let group = group(of: object, values)
    let hasRoom = objectCount < limits.objects && characters < limits.characters
    guard hasRoom || listed[group, default: 0] < limits.perGroup else { return }
    listed[group, default: 0] += 1
    characters += values.reduce(40) { $0 + $1.size }
    objectCount += 1
    try ReportedObjects.add(
      ReportedObject(
        group: group, change: object.change, entity: object.entity, source: object.source,
        object: object.object, values: values, links: object.links), to: objects)
  }

  private mutating func group(of object: ChangedObject, _ values: [ReportedChange]) -> Int {
    if let last, last.object.entity == object.entity,
      ChangeSignature.areSame(last.object, last.values, object, values)
    {
      groups.add(oneMoreOf: last.group)
      return last.group
    }
    let group = groups.add(
      object,
      ChangeSignature(
        object, values, display: reporting.display, given: given[object.entity] ?? [:]))
    last = (object, values, group)
    return group
  }

  private mutating func place(of data: ComparedData, _ kind: ImageKind) -> Int? {
    if let place = imagePlaces[data.sha256] { return place }
    guard let bytes = data.content, bytes.count <= limits.image,
      imageBytes + bytes.count <= limits.images
    else { return nil }
    imageBytes += bytes.count
    images.append(ReportedImage(kind: kind, bytes: bytes))
    imagePlaces[data.sha256] = images.count - 1
    return images.count - 1
  }

  /// The report of all that was added.
  package func report(
    _ difference: StoreDifference, before: DifferenceReport.Side, after: DifferenceReport.Side,
    models: ModelDifferenceReport?
  ) -> DifferenceReport {
    let (groups, numbers) = groups.finished()
    var report = DifferenceReport(
      before: before, after: after, models: models, difference: difference, groups: groups,
      objects: ReportedObjects(objects, count: objectCount, groups: numbers), images: images,
      metadata: difference.metadata.map(reported),
      display: reporting.display)
    report.given = given
    return report
  }

  private func reported(_ entry: ChangedMetadata) -> ReportedMetadata {
    if entry.key == Metadata.Key.hashes { return Self.hashes(entry) }
    // The framework's own entries are no user's data.
    let isShown = reporting.display.isReadable || !entry.isApplications
    func words(_ value: PropertyList?) -> String? {
      value.map { value in
        guard isShown else { return value.kindWords }
        return TextWindow.cut(value.json.spaced, limit: reporting.display.longest)
      }
    }
    return ReportedMetadata(key: entry.key, old: words(entry.old), new: words(entry.new))
  }

  /// Of version hashes, whose they are: they themselves say nothing to a reader.
  private static func hashes(_ entry: ChangedMetadata) -> ReportedMetadata {
    let (old, new) = (entry.old?.dictionary ?? [:], entry.new?.dictionary ?? [:])
    let other = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    return ReportedMetadata(
      key: entry.key, old: "of \(Plural.text(old.count, "entity"))",
      new: "of \(Plural.text(new.count, "entity")), other ones of \(other.joined(separator: ", "))")
  }
}

extension ReportedChange {
  /// About how many characters it takes.
  var size: Int { attribute.count + old.size + new.size }
}

extension ReportedValue {
  fileprivate var size: Int {
    if case .text(let text) = self { text.utf8.count } else { 24 }
  }
}
