extension SolvedLayout {
  /// Draws a part of the content as an SVG picture.
  ///
  /// Cells have the colour of their section, supplementaries are framed, decorations are pale, and
  /// the viewports of orthogonal sections are dashed. The text is the same on every platform, so it
  /// can be compared with a file.
  ///
  /// - Parameters:
  ///   - rect: The part, in content coordinates; the first two screens if `nil`.
  ///   - scrolled: The scroll positions of a host.
  ///   - label: The text on an element; `nil` for none.
  package func svg(
    of rect: LayoutRect? = nil, scrolled: LayoutScrollState? = nil,
    label: (LayoutElement) -> String? = { $0.description }
  ) -> String {
    let rect = rect ?? pictured
    var picture = SVGPicture(rect: rect)
    for attributes in picturedElements(in: rect, scrolled: scrolled) {
      picture.draw(attributes, label: label(attributes.element))
    }
    if let range = sections(meeting: asked(rect)) {
      for section in range {
        if let viewport = orthogonalRow(ofSection: section)?.viewport { picture.outline(viewport) }
      }
    }
    return picture.text
  }
}
