import Diffable

extension ListController {
  /// What stays at its place on the screen.
  enum Anchoring {
    /// The first of some items that still exists, each also with its identifier after the batch.
    case items([(item: ItemID, newName: ItemID, position: Double)])
    /// The end of the list.
    case end

    /// The place to which a host has to scroll after a stage.
    func anchor(in snapshot: Snapshot<SectionID, ItemID>) -> ListAnchor? {
      switch self {
      case .items(let items):
        for (item, newName, position) in items {
          guard let path = snapshot.itemPath(for: item) ?? snapshot.itemPath(for: newName) else {
            continue
          }
          return ListAnchor(path: path, position: position)
        }
        return nil
      case .end:
        // As far up as possible: hosts do not scroll beyond the end.
        return snapshot.lastPath.map { ListAnchor(path: $0, position: 0) }
      }
    }
  }

  /// What should stay at its place during the batch that is about to be shown.
  func anchoring() -> Anchoring {
    if sticksToEnd, showsEnd { return .end }
    return .items(
      (host?.anchors ?? []).compactMap { anchor in
        snapshot.itemIdentifier(for: anchor.path).map {
          ($0, display.newName(of: $0), anchor.position)
        }
      })
  }

  private var showsEnd: Bool {
    guard let host, let last = snapshot.lastPath else { return true }
    return host.visibleItemPaths.contains(last)
  }
}

extension Snapshot {
  /// The path of the last item; `nil` if there is none.
  fileprivate var lastPath: ItemPath? {
    let section = (0..<numberOfSections).last { !items(inSectionAt: $0).isEmpty }
    return section.map { ItemPath(section: $0, item: items(inSectionAt: $0).count - 1) }
  }
}
