import StandInSupport

// What users and the system do.
extension UICollectionViewListCell {
  /// Whether there is a disclosure.
  package var hasOutlineDisclosure: Bool {
    accessories.contains { if case .outlineDisclosure = $0.kind { true } else { false } }
  }

  package func userTapsOutlineDisclosure() {
    for accessory in accessories {
      if case .outlineDisclosure = accessory.kind { accessory.actionHandler?() }
    }
  }
}

extension UIScrollView {
  /// Puts the view on the screen, or takes it off.
  package func show(in window: UIWindow?) {
    if let window { window.addSubview(self) } else { removeFromSuperview() }
    setNeedsLayout()
    layoutIfNeeded()
  }

  package func userScrolls(to offset: CGPoint) {
    scrollDelegate?.scrollViewWillBeginDragging(self)
    contentOffset = offset
    layoutIfNeeded()
  }

  /// Ends the updates that a test has held.
  package func endUpdates() {
    let completions = heldCompletions
    heldCompletions = []
    for completion in completions { completion(true) }
  }

  /// An update has ended: at once, soon, or when a test lets it.
  func end(_ completion: ((Bool) -> Void)?) {
    guard let completion else { return }
    guard !holdsCompletions else { return heldCompletions.append(completion) }
    if habits.contains(.completesBeforeReturning) {
      completion(true)
    } else {
      Task { completion(true) }
    }
  }

  /// The view gets another size, as when the device is turned.
  package func systemResizes(to size: CGSize) {
    frame.size = size
    setNeedsLayout()
    layoutIfNeeded()
    // What the layout has changed is laid out before the next frame is drawn.
    layoutIfNeeded()
  }

  /// Time passes while an animated scroll is under way.
  package func timePasses(untilScrollingEnds: Bool) {
    animateScrolling(toEnd: untilScrollingEnds)
  }

  /// Whether an animated scroll is under way.
  package var scrollsWithAnimation: Bool { scrollGoal != nil }

  /// Bars or a keyboard cover another part of the view.
  package func systemCovers(_ insets: UIEdgeInsets) {
    contentInset = insets
    scrollDelegate?.scrollViewDidChangeAdjustedContentInset(self)
    setNeedsLayout()
    layoutIfNeeded()
  }
}

extension UICollectionView {
  /// Bars and cutouts come or go, or margins are set, and the bounds stay.
  package func systemChangesInsets(safeArea: UIEdgeInsets? = nil, margins: UIEdgeInsets? = nil) {
    if let margins { layoutMargins = margins }
    if let safeArea {
      ownSafeAreaInsets = safeArea
      delegate?.scrollViewDidChangeAdjustedContentInset(self)
    }
    if habits.contains(.asksLayoutForInsets),
      collectionViewLayout.shouldInvalidateLayout(forBoundsChange: bounds)
    {
      collectionViewLayout.invalidateLayout(
        with: collectionViewLayout.invalidationContext(forBoundsChange: bounds))
    }
    setNeedsLayout()
    layoutIfNeeded()
  }

  package func userTaps(at indexPath: IndexPath) {
    guard allowsSelection, let id = id(at: indexPath) else { return }
    if selected.contains(id) {
      guard allowsMultipleSelection else { return }
      deselectItem(at: indexPath, animated: true)
      delegate?.collectionView(self, didDeselectItemAt: indexPath)
    } else {
      let former = allowsMultipleSelection ? [] : indexPathsForSelectedItems ?? []
      selectItem(at: indexPath, animated: true, scrollPosition: [])
      for path in former { delegate?.collectionView(self, didDeselectItemAt: path) }
      delegate?.collectionView(self, didSelectItemAt: indexPath)
    }
  }
}
