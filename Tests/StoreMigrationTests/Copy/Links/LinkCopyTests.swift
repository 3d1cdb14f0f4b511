import CoreDataStore
import SQLite
import StoreMigration
import TestSupport
import Testing

@Suite("Links", .temporaryFolder)
struct LinkCopyTests {
  /// From one kind of relationship to another, ordered or not, keeping the first or the last.
  struct Change: CustomTestStringConvertible {
    let before: LinkKind
    let after: LinkKind
    let wasOrdered: Bool
    let isOrdered: Bool
    let keep: LinkChoice.Keep

    var testDescription: String {
      "\(before)\(wasOrdered ? " ordered" : "") to \(after)\(isOrdered ? " ordered" : ""), \(keep)"
    }

    static let all = LinkKind.allCases.flatMap { before in
      LinkKind.allCases.flatMap { after in
        [(false, false), (false, true), (true, false), (true, true)].flatMap { order in
          [LinkChoice.Keep.first, .last].map {
            Change(
              before: before, after: after, wasOrdered: order.0, isOrdered: order.1, keep: $0)
          }
        }
      }
    }

    /// What must be in the new store, said without SQL.
    var expected: Set<SampleLink> {
      guard before.leads(to: after) else { return [] }
      var links = before.links(isOrdered: wasOrdered)
      if after.isOne.forward, !before.isOne.forward {
        links = Dictionary(grouping: links, by: \.a).values.compactMap { links in
          one(of: links) { ($0.forward ?? .max, $0.b) < ($1.forward ?? .max, $1.b) }
        }
      }
      if after.isOne.backward, !before.isOne.backward {
        links = Dictionary(grouping: links, by: \.b).values.compactMap { links in
          one(of: links) { ($0.backward ?? .max, $0.a) < ($1.backward ?? .max, $1.a) }
        }
      }
      return Set(links.map(placed))
    }

    private func one(
      of links: [SampleLink], by precedes: (SampleLink, SampleLink) -> Bool
    ) -> SampleLink? {
      keep == .first ? links.min(by: precedes) : links.max(by: precedes)
    }

    /// Links that had no place get a key: in a column that of the owner, in a table of pairs that
    /// of the object whose row had the link, or else 2000.
    private func placed(_ link: SampleLink) -> SampleLink {
      var placed = link
      let (rHasOrder, sHasOrder) = (
        isOrdered && after.isToMany.r == true, isOrdered && after.isToMany.s == true
      )
      let isPair = after == .manyToMany
      let (near, far) = (
        [.one, .oneToOne, .manyToOne, .backToMany].contains(before),
        [.many, .oneToMany, .backToOne].contains(before)
      )
      let places = (
        forward: !isPair ? link.a : near ? 2000 : link.b,
        backward: !isPair ? link.b : far ? 2000 : link.a
      )
      placed.forward = rHasOrder ? link.forward ?? places.forward : nil
      placed.backward = sHasOrder ? link.backward ?? places.backward : nil
      return placed
    }
  }

  @Test("arrive by every way from one kind of relationship to another", arguments: Change.all)
  func changes(_ change: Change) throws {
    let sample = try LinkSample(
      change.before.xml(isOrdered: change.wasOrdered), change.after.xml(isOrdered: change.isOrdered)
    ) { instructions in
      instructions.choices = [
        LinkChoice("A.r", keep: change.keep), LinkChoice("B.s", keep: change.keep),
      ]
    } fill: { store, schema in
      for key in Int64(1)...3 { try LinkSample.insert(store, schema, "A", key) }
      for key in Int64(11)...14 { try LinkSample.insert(store, schema, "B", key) }
      try SampleLinks(connection: store, schema: schema)
        .write(change.before.links(isOrdered: change.wasOrdered))
    }
    let builder = try sample.copied()
    let counts = try LinkCopy(builder).run()
    let links = SampleLinks(connection: builder.connection, schema: sample.target)
    for found in try links.read() { #expect(found == change.expected) }
    let lost =
      change.before.leads(to: change.after)
      ? change.before.links(isOrdered: false).count - change.expected.count : 0
    #expect(counts.map(\.discarded).reduce(0, +) == lost)
    try builder.close()
  }
}
