/// The script of a page with diagrams: size, selection, and what is shown.
enum DiagramScript {
  static let javascript = String(resource: PackageResources.DiagramScript_js)
}
