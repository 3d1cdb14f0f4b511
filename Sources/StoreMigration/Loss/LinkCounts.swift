/// What happened to the links of one relationship.
struct LinkCounts {
  /// How many led from an object to an object.
  var values = 0
  /// How many are there.
  var arrived = 0
  /// How many are not there, although both objects are.
  var emptied = 0
  /// How many are not there, because one of the objects is not.
  var gone = 0
  /// How many led nowhere before.
  var dangling = 0
}

extension PropertyLoss {
  mutating func take(_ counts: LinkCounts) {
    (values, arrived, dangling) = (counts.values, counts.arrived, counts.dangling)
    (emptied, gone) = (counts.emptied, counts.gone)
  }
}
