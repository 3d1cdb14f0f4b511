/// The script of a page about two stores: filters, pages, and values side by side.
///
/// It makes elements and texts, never markup from texts.
enum DifferenceScript {
  static let javascript = String(resource: PackageResources.DifferenceScript_js)
}
