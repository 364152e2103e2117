/// The text of an SVG picture.
struct SVGPicture {
  /// The margin around the content, in points.
  private static let margin = 8.0

  /// The hues of the sections, in turn.
  private static let hues = [212, 152, 32, 272, 352, 182]

  private let rect: LayoutRect
  private var body = ""

  init(rect: LayoutRect) {
    self.rect = rect
  }

  /// Draws an element.
  mutating func draw(_ attributes: LayoutAttributes, label: String?) {
    let frame = attributes.frame
    guard frame.isFinite, frame.width > 0, frame.height > 0 else { return }
    let hue = Self.hues[max(0, attributes.element.path.section) % Self.hues.count]
    let style: String
    switch attributes.element {
    case .item: style = "fill=\"hsl(\(hue),70%,82%)\" stroke=\"hsl(\(hue),45%,52%)\""
    case .supplementary: style = "fill=\"hsl(\(hue),25%,96%)\" stroke=\"hsl(\(hue),30%,40%)\""
    case .decoration: style = "fill=\"hsl(\(hue),35%,93%)\" stroke=\"none\""
    }
    let radius = min(4, frame.width / 4, frame.height / 4)
    body += "  <g" + groupStyle(attributes) + ">\n"
    // Moved inwards by half a line, so that the lines of neighbours do not cover the gap between
    // them.
    let line = min(1, frame.width, frame.height)
    body += "    <rect \(Self.box(frame.grown(by: -line / 2))) rx=\"\(radius.short)\" \(style)/>\n"
    if let label, !label.isEmpty { body += Self.text(label, in: frame, attributes.element) }
    body += "  </g>\n"
  }

  /// Draws a dashed outline.
  mutating func outline(_ frame: LayoutRect) {
    body += "  <rect \(Self.box(frame)) fill=\"none\" stroke=\"#555\" stroke-dasharray=\"4 3\"/>\n"
  }

  /// The whole picture.
  var text: String {
    let margin = Self.margin
    let width = (rect.width + 2 * margin).short
    let height = (rect.height + 2 * margin).short
    let view = "\((rect.x - margin).short) \((rect.y - margin).short) \(width) \(height)"
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" \
      viewBox="\(view)" font-family="Helvetica, Arial, sans-serif" text-anchor="middle">
        <clipPath id="content"><rect \(Self.box(rect.grown(by: margin / 2)))/></clipPath>
        <rect \(Self.box(rect.grown(by: margin / 2))) rx="6" fill="#fff" stroke="#bbb"/>
        <g clip-path="url(#content)">
      \(body)  </g>
      </svg>

      """
  }

  /// The style that shows the changes of a visible-items handler.
  private func groupStyle(_ attributes: LayoutAttributes) -> String {
    var style = ""
    if attributes.alpha != 1 { style += " opacity=\"\(attributes.alpha.short)\"" }
    let transform = attributes.transform
    if transform != .identity {
      let center = attributes.frame.center
      let x = center.x + transform.tx - transform.a * center.x - transform.c * center.y
      let y = center.y + transform.ty - transform.b * center.x - transform.d * center.y
      let numbers = [transform.a, transform.b, transform.c, transform.d, x, y].map(\.short)
      style += " transform=\"matrix(\(numbers.joined(separator: " ")))\""
    }
    return style
  }

  private static func box(_ frame: LayoutRect) -> String {
    "x=\"\(frame.x.short)\" y=\"\(frame.y.short)\" "
      + "width=\"\(frame.width.short)\" height=\"\(frame.height.short)\""
  }

  private static func text(
    _ label: String, in frame: LayoutRect, _ element: LayoutElement
  ) -> String {
    // A letter is about 0.6 times as wide as it is high.
    let fitting = (frame.width - 4) / (0.6 * Double(label.count))
    let size = min(13, fitting, frame.height * 0.7)
    guard size >= 4 else { return "" }
    var (x, y, anchor) = (frame.center.x, frame.center.y + size * 0.35, "")
    if case .decoration = element {
      // Elements in front of the decoration would cover a label in the middle.
      (x, y, anchor) = (frame.x + 6, frame.maxY - 4, " text-anchor=\"start\"")
    }
    return "    <text x=\"\(x.short)\" y=\"\(y.short)\" font-size=\"\(size.short)\"\(anchor) "
      + "fill=\"#333\">\(label.escapedForXML)</text>\n"
  }
}

extension LayoutRect {
  /// The rectangle with its edges moved outwards.
  fileprivate func grown(by distance: Double) -> LayoutRect {
    LayoutRect(
      x: x - distance, y: y - distance, width: width + 2 * distance,
      height: height + 2 * distance)
  }
}

extension String {
  /// The text with special characters of XML replaced.
  fileprivate var escapedForXML: String {
    reduce(into: "") { text, character in
      switch character {
      case "&": text += "&amp;"
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "\"": text += "&quot;"
      default: text.append(character)
      }
    }
  }
}
