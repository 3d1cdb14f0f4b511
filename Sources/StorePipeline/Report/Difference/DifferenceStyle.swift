/// The style sheet of a page about two stores, in addition to that of the diagrams.
enum DifferenceStyle {
  /// The sheet.
  static let css = String(resource: PackageResources.DifferenceStyle_css)
}
