#if canImport(UIKit) && !os(watchOS)
public import Diffable
public import UIKit

/// A list cell that shows a row of an outline: indented, and with a disclosure that folds and unfolds it.
///
/// ```swift
/// let rows = UICollectionView.CellRegistration<OutlineListCell, Folder.ID> { cell, indexPath, id in
///   // … the content configuration …
///   cell.showDisclosure(dataSource.disclosure(of: id)) { dataSource.toggleExpansion(of: id) }
/// }
/// ```
///
/// Apple's data source tells cells by itself how they stand in a section snapshot, and folds and unfolds
/// them; a cell has no API by which another data source could. What it has is documented: an indentation
/// level, an accessory with an action, and a configuration state that can be overridden. This class is
/// those three. Apple's documentation says that ``configurationState`` tells whether the cell is expanded,
/// “such as in an outline”, and that the accessory is a chevron that rotates; that the one follows the
/// other could not be seen where this was written.
///
/// When the disclosure of a visible row changes, the row is reconfigured, so the registration shows it
/// anew.
open class OutlineListCell: UICollectionViewListCell {
  /// How the row is drawn; `nil` in a section that is a list.
  public private(set) var disclosure: Disclosure?

  /// The state of the cell, which is expanded if the children of the row show, or are to.
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
  /// - Parameter disclosure: How the row is drawn; `nil` for one of a list.
  public func showDisclosure(_ disclosure: Disclosure?) {
    setDisclosure(disclosure)
  }
  #else
  /// Indents the row, and puts the disclosure in the place of all accessories where there is something to
  /// unfold.
  ///
  /// Add other accessories after this.
  ///
  /// - Parameters:
  ///   - disclosure: How the row is drawn; `nil` for one of a list.
  ///   - options: How the accessory looks, and whether the whole row is tapped in its place.
  ///   - toggle: Does what the user wants who taps it, such as
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
