/// What a view is asked when it is measured: the lengths that stand, and those it chooses.
///
/// The host asks the view for its size in ``size`` and reports the answer to
/// ``SolvedLayout/setMeasuredSize(_:of:anchor:)``, which takes only the estimated lengths from it.
public struct SizeProposal: Hashable, Sendable {
  /// The size the layout has for the view now; the estimates on the axes that are measured.
  public let size: LayoutExtent

  /// Whether the view chooses its width.
  public let measuresWidth: Bool

  /// Whether the view chooses its height.
  public let measuresHeight: Bool

  /// The length that stands while the other is measured: what an answer is only good for.
  ///
  /// It is the width of the container when the view chooses both.
  public let fixedLength: Double
}

extension SolvedLayout {
  /// What a view is to be asked; `nil` when its size does not depend on what it answers.
  public func sizeProposal(for element: LayoutElement) -> SizeProposal? {
    guard let found = located(element), !found.estimated.isEmpty else { return nil }
    let measuresWidth = found.estimated.contains(.width)
    let measuresHeight = found.estimated.contains(.height)
    let fixed: Double
    switch (measuresWidth, measuresHeight) {
    case (true, true): fixed = environment.container.contentSize.width
    case (true, false): fixed = found.frame.height
    case (false, _): fixed = found.frame.width
    }
    return SizeProposal(
      size: found.frame.size, measuresWidth: measuresWidth, measuresHeight: measuresHeight,
      fixedLength: fixed)
  }
}
