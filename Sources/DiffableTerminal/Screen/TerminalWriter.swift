/// A destination for the content of a terminal: a terminal, a file, or a test.
public protocol TerminalWriter: Sendable {
  /// Writes all bytes before it returns.
  ///
  /// - Throws: ``OutputError`` if that is no longer possible; some bytes may have been written by
  ///   then.
  func write(_ bytes: [UInt8]) throws(OutputError)
}

extension TerminalWriter {
  /// Writes a text in UTF-8.
  ///
  /// - Throws: ``OutputError`` if that is no longer possible; some bytes may have been written by
  ///   then.
  public func write(_ text: String) throws(OutputError) {
    try write(Array(text.utf8))
  }
}

/// Shows screens, one after another, through a writer.
package struct TerminalDisplay: Sendable {
  /// The destination of the screens.
  package let writer: any TerminalWriter
  private var painter: ScreenPainter

  /// Creates a display with unknown content.
  ///
  /// - Parameters:
  ///   - writer: The destination of the screens.
  ///   - colorDepth: The number of colours.
  package init(writer: any TerminalWriter, colorDepth: ColorDepth) {
    self.writer = writer
    painter = ScreenPainter(colorDepth: colorDepth)
  }

  /// Shows a screen; writes nothing if it is shown already.
  ///
  /// - Throws: What the writer throws. The next screen is then written as a whole.
  package mutating func show(_ screen: Screen) throws(OutputError) {
    let changes = painter.paint(screen)
    guard !changes.isEmpty else { return }
    do throws(OutputError) {
      try writer.write(changes)
    } catch {
      painter.forget()
      throw error
    }
  }

  /// Discards the shown screen because something else has drawn; the next one is written whole.
  package mutating func forget() {
    painter.forget()
  }
}
