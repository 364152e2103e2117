/// developer.apple.com/documentation/uikit/uisearchbar
@MainActor open class UISearchBar: UIView {
  /// developer.apple.com/documentation/uikit/uisearchbar/text
  open var text: String?
  /// developer.apple.com/documentation/uikit/uisearchbar/delegate
  open weak var delegate: (any UISearchBarDelegate)?
}

/// developer.apple.com/documentation/uikit/uibarpositioningdelegate
@MainActor public protocol UIBarPositioningDelegate: NSObjectProtocol {}

/// developer.apple.com/documentation/uikit/uisearchbardelegate
@MainActor public protocol UISearchBarDelegate: UIBarPositioningDelegate {
  /// developer.apple.com/documentation/uikit/uisearchbardelegate/searchbar(_:textdidchange:)
  func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String)
}

// Optional requirements.
extension UISearchBarDelegate {
  public func searchBar(_ searchBar: UISearchBar, textDidChange searchText: String) {}
}
