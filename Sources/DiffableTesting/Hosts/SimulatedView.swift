public import DiffableViews

/// A cell or supplementary view of a simulated list: it only has a text.
///
/// Subclass it if a test has several kinds of cells.
@MainActor
open class SimulatedView {
  /// The text of the view.
  public var text = ""

  /// Creates a view without text.
  public required init() {}

  /// Creates a placeholder.
  ///
  /// - Parameter error: Why the view that should be here could not be made.
  public convenience init(showing error: ListError) {
    self.init()
    text = "\(error)"
  }
}
