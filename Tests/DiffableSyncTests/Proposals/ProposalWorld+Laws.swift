import ListSupport

@testable import Diffable
@testable import DiffableSync

extension ProposalWorld {
  func shown(_ index: Int) -> State { followers[index].list.overlay.core.snapshot }

  /// The items of the only section.
  func items(_ state: State) -> [Int] { state.itemIdentifiers(inSection: 0) }

  /// What must hold of the server at any time: each accepted edit is in the list once, and no other.
  mutating func checkServer() {
    let order = orders.last ?? []
    if !(distinctNumbers(order).map { areSame($0, accepted) } ?? false) {
      fault = "the server has \(order) instead of \(accepted.sorted())"
    }
  }

  /// What must hold of a follower at any time.
  ///
  /// - Parameter hasChanged: Whether anything may have happened to it.
  mutating func check(_ index: Int, hasChanged: Bool) {
    let follower = followers[index]
    let pending = follower.list.overlay.pending
    let seen = Checked(
      confirmed: follower.list.list.snapshot, shown: shown(index), pendingCount: pending.count)
    guard hasChanged || !(follower.checked?.isIdentical(to: seen) ?? false) else { return }
    followers[index].checked = seen
    let (confirmed, visible) = (items(seen.confirmed), items(seen.shown))
    let held = follower.held
    if held < follower.received { fault = "follower \(index) has forgotten a revision" }
    if !areSame(confirmed, orders[held - 1]) || seen.confirmed.numberOfSections != 1 {
      fault = "follower \(index) has another state than the server had"
    }
    guard let content = distinctNumbers(visible), seen.shown.numberOfSections == 1 else {
      fault = "follower \(index) shows \(seen.shown)"
      return
    }
    for item in numbers(of: follower.own, notIn: content) where !deleted.contains(item) {
      fault = "\(item) has vanished from follower \(index): \(visible)"
    }
    if pending.isEmpty, !areSame(visible, confirmed) {
      fault = "follower \(index) shows \(visible) with nothing pending"
    }
    // The state of the server, and the follower's own edits.
    var expected = contents[held - 1]
    for edit in pending.compactMap({ meanings[$0.id]?.edit }) {
      follower.edits[Int(edit) - 1].apply(to: &expected)
    }
    if !areSame(content, expected) {
      fault = "follower \(index) shows \(visible) instead of \(expected.sorted())"
    }
  }

  /// What must hold when everything has arrived.
  var faultAtEnd: String? {
    if let fault { return fault }
    let expected = Set([1, 2, 3]).union(inserted.filter { $0 < 1000 }).subtracting(deleted)
    let items = server.snapshot.itemIdentifiers
    if items.count != expected.count || Set(items) != expected {
      return "the server has \(items) instead of \(expected.sorted())"
    }
    for (index, follower) in followers.enumerated() {
      if !follower.list.overlay.pending.isEmpty { return "follower \(index) has something pending" }
      if shown(index) != server.snapshot { return "follower \(index) shows \(shown(index))" }
    }
    return nil
  }
}

extension ProposalWorld.Edit {
  /// What an edit leaves of some items, in whatever order.
  func apply(to items: inout Set<Int>) {
    switch self {
    case .insert(let item): items.insert(item)
    case .delete(let item): items.remove(item)
    case .moveFirstToEnd: break
    }
  }
}
