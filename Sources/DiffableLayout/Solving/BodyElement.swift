/// A cell or an attached view in the body of a section.
///
/// Positions are relative to the corner of the section's content.
struct BodyElement {
  /// The identity of the view.
  enum Identity {
    case cell(Int)
    case attachment(AttachmentKey)
  }

  let identity: Identity
  let frame: LayoutRect

  /// The frame of the innermost enclosing group.
  let clip: LayoutRect
  let zIndex: Int

  /// The axes along which the view is measured.
  let estimated: EstimatedAxes
}
