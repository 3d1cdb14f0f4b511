/// The style sheet of a page with diagrams.
///
/// The colours keep a contrast of 4.5 to 1 against their ground, in the light and in the dark
/// (WCAG 2.2, 1.4.3); lines differ by their dashes too (1.4.1, use of colour).
enum DiagramStyle {
  /// The sheet, with the measures that the layout counts on.
  static let css = """
    :root {
      --box-width: \(DiagramMeasure.boxWidth)px; --box-title: \(DiagramMeasure.title)px;
      --box-subtitle: \(DiagramMeasure.subtitle)px; --box-row: \(DiagramMeasure.row)px;
    }

    """ + String(resource: PackageResources.DiagramStyle_css)
}
