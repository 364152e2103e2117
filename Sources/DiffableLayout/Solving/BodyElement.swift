/// A cell or an attached view, as the body of a section answers it: positions count from the corner
/// of the content of the section.
struct BodyElement {
  /// Which view it is.
  enum Identity {
    case cell(Int)
    case attachment(AttachmentKey)
  }

  let identity: Identity
  let frame: LayoutRect

  /// The frame of the innermost group around it.
  let clip: LayoutRect
  let zIndex: Int

  /// The axes along which the view is measured.
  let estimated: EstimatedAxes
}
