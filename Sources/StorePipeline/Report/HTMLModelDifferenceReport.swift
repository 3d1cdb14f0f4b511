/// x
package struct HTMLModelDifferenceReport {
  /// x
  package let text = ""
  /// x
  package init(_ report: ModelDifferenceReport) {}
}
