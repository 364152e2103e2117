/// A cell or supplementary view of a simulated list: it has a text and nothing else.
///
/// Subclass it where a test has several kinds of cells.
@MainActor
open class SimulatedView {
  /// What the view shows.
  public var text = ""

  /// Creates a view that shows nothing.
  public required init() {}
}
