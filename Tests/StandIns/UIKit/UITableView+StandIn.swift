import StandInSupport

// What users and the system do.
extension UITableView {
  /// Puts the view on the screen, or takes it off.
  package func show(in window: UIWindow?) {
    if let window { window.addSubview(self) } else { removeFromSuperview() }
    setNeedsLayout()
    layoutIfNeeded()
  }

  package func userScrolls(to offset: CGPoint) {
    contentOffset = offset
    layoutIfNeeded()
  }

  package func userTaps(at indexPath: IndexPath) {
    if indexPathsForSelectedRows?.contains(indexPath) == true {
      guard allowsMultipleSelection else { return }
      deselectRow(at: indexPath, animated: true)
      delegate?.tableView(self, didDeselectRowAt: indexPath)
    } else {
      let former = allowsMultipleSelection ? [] : indexPathsForSelectedRows ?? []
      selectRow(at: indexPath, animated: true, scrollPosition: .none)
      for path in former { delegate?.tableView(self, didDeselectRowAt: path) }
      delegate?.tableView(self, didSelectRowAt: indexPath)
    }
  }
}
