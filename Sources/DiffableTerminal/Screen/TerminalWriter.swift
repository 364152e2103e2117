/// Where what a terminal is to show goes to: a terminal, a file, or a test.
public protocol TerminalWriter: Sendable {
  /// Writes all bytes before it returns.
  ///
  /// - Throws: ``OutputError`` if that is not possible any more; some bytes may be written by then.
  func write(_ bytes: [UInt8]) throws(OutputError)
}

extension TerminalWriter {
  /// Writes a text in UTF-8.
  ///
  /// - Throws: ``OutputError`` if that is not possible any more; some bytes may be written by then.
  public func write(_ text: String) throws(OutputError) {
    try write(Array(text.utf8))
  }
}

/// Shows one screen after the other on whatever a writer writes to.
public struct TerminalDisplay: Sendable {
  /// Where the screens go.
  public let writer: any TerminalWriter
  private var painter: ScreenPainter

  /// Creates a display that shows anything.
  ///
  /// - Parameters:
  ///   - writer: Where the screens go.
  ///   - colorDepth: How many colours there are.
  public init(writer: any TerminalWriter, colorDepth: ColorDepth) {
    self.writer = writer
    painter = ScreenPainter(colorDepth: colorDepth)
  }

  /// Shows a screen; writes nothing if it is shown already.
  ///
  /// - Throws: What the writer throws. The next screen is written as a whole, then.
  public mutating func show(_ screen: Screen) throws(OutputError) {
    let changes = painter.paint(screen)
    guard !changes.isEmpty else { return }
    do throws(OutputError) {
      try writer.write(changes)
    } catch {
      painter.forget()
      throw error
    }
  }

  /// Takes note that somebody else has drawn: the next screen is written as a whole.
  public mutating func forget() {
    painter.forget()
  }
}
