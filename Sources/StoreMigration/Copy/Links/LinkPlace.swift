internal import CoreDataStore

/// A link that stands in columns of one end's rows, in the source and in the target.
struct LinkPlace {
  let link: LinkMapping
  /// Which end's rows have it.
  let holder: LinkTravel.Holder
  let old: LinkColumns
  let new: LinkColumns
  /// The end whose rows have the columns.
  let own: LinkEnd
  /// The end that the columns lead to.
  let other: LinkEnd

  /// The relationship of the target that the columns are of.
  let relationship: PropertyReference?

  /// The place at one end of a link; nil where it stands elsewhere.
  init?(
    _ link: LinkMapping, _ holder: LinkTravel.Holder, _ own: LinkEnd, _ other: LinkEnd,
    from source: StoreSchema, to target: StoreSchema
  ) {
    let (near, far) = link.directions(from: holder)
    guard let old = LinkColumns(near.source, far.source, in: source),
      let new = LinkColumns(near.target, far.target, in: target)
    else { return nil }
    (self.link, self.holder) = (link, holder)
    (self.old, self.new) = (old, new)
    (self.own, self.other) = (own, other)
    relationship = near.target ?? far.target
  }

  /// What happens to the order that the place in the columns is about.
  var order: LinkMapping.Order { holder == .near ? link.backward.order : link.forward.order }

  /// Whether the objects of a mapping have the columns, before and after.
  func holds(_ object: ObjectMapping, _ source: StoreSchema, _ target: StoreSchema) -> Bool {
    guard let old = source.entity(named: object.source),
      let new = target.entity(named: object.target),
      let oldEnd = source.entity(named: own.sourceEntity),
      let newEnd = target.entity(named: own.targetEntity)
    else { return false }
    return oldEnd.family.contains(old.number) && newEnd.family.contains(new.number)
  }
}
