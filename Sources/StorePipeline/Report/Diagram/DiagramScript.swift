/// The script of a page with diagrams: size, selection, and what is shown.
enum DiagramScript {
  /// The script.
  static let javascript = String(resource: PackageResources.DiagramScript_js)
}
