#if canImport(UIKit) && !os(watchOS)
public import Diffable
public import UIKit

/// A list cell for a row of an outline: indented, and with a disclosure to expand and collapse it.
///
/// ```swift
/// let rows = UICollectionView.CellRegistration<OutlineListCell, Folder.ID> { cell, indexPath, id in
///   // … the content configuration …
///   cell.showDisclosure(dataSource.disclosure(of: id)) { dataSource.toggleExpansion(of: id) }
/// }
/// ```
///
/// Apple's data source sets the level of its cells in a section snapshot by itself, and expands and
/// collapses them. A cell has no API through which another data source could do that. But there are
/// three documented parts, which this class combines: an indentation level, an accessory with an
/// action, and a configuration state that can be overridden. Apple's documentation says that
/// ``configurationState`` tells whether the cell is expanded, “such as in an outline”, and that the
/// accessory is a chevron that rotates. It was not possible to verify here that the chevron follows
/// the state.
///
/// If the disclosure of a visible row changes, the row is reconfigured, so the registration updates
/// it.
open class OutlineListCell: UICollectionViewListCell {
  /// How the row is drawn; `nil` in a flat section.
  public private(set) var disclosure: Disclosure?

  /// The state of the cell; it is expanded if the children of the row show or will show.
  open override var configurationState: UICellConfigurationState {
    var state = super.configurationState
    state.isExpanded = disclosure?.isExpanded ?? false
    return state
  }

  private func setDisclosure(_ disclosure: Disclosure?) {
    indentationLevel = disclosure?.level ?? 0
    guard disclosure != self.disclosure else { return }
    self.disclosure = disclosure
    setNeedsUpdateConfiguration()
  }

  #if os(tvOS)
  /// Indents the row; tvOS has no accessory for outlines.
  ///
  /// - Parameter disclosure: How the row is drawn; `nil` for a row of a flat list.
  public func showDisclosure(_ disclosure: Disclosure?) {
    setDisclosure(disclosure)
  }
  #else
  /// Indents the row, and replaces all accessories with the disclosure if the row has children.
  ///
  /// Add other accessories after this.
  ///
  /// - Parameters:
  ///   - disclosure: How the row is drawn; `nil` for a row of a flat list.
  ///   - options: The appearance of the accessory, and whether the whole row can be tapped instead.
  ///   - toggle: Called when the user taps it; for example
  ///     ``DiffableDataSource/toggleExpansion(of:completion:)``.
  public func showDisclosure(
    _ disclosure: Disclosure?,
    options: UICellAccessory.OutlineDisclosureOptions = UICellAccessory.OutlineDisclosureOptions(),
    toggle: @escaping @MainActor () -> Void
  ) {
    setDisclosure(disclosure)
    accessories =
      disclosure?.isExpandable == true
      ? [.outlineDisclosure(options: options, actionHandler: { toggle() })] : []
  }
  #endif
}
#endif
