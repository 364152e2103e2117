/// The request to measure a view: the lengths that are fixed, and those that the view chooses.
///
/// The host measures the view in ``size`` and passes the result to
/// ``SolvedLayout/setMeasuredSize(_:of:anchor:)``, which uses only the estimated lengths.
public struct SizeProposal: Hashable, Sendable {
  /// The current size of the view in the layout, with the estimates on the measured axes.
  public let size: LayoutExtent

  /// Whether the view chooses its width.
  public let measuresWidth: Bool

  /// Whether the view chooses its height.
  public let measuresHeight: Bool

  /// The length that is fixed during the measurement; the result is valid for this length only.
  ///
  /// If the view chooses both lengths, it is the width of the container.
  public let fixedLength: Double
}

extension SolvedLayout {
  /// The size proposal for a view; `nil` if its size does not depend on a measurement.
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
