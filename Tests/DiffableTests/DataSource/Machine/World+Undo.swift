import Diffable
import ListSupport

extension World {
  /// What undo or redo takes back next, which has to be what the stacks say and the history holds.
  mutating func expectReversible(
    _ direction: UndoDirection, _ scope: UndoScope
  ) -> UndoStacks.Step? {
    let found = machine.reversible(direction, scope)
    let top = undoStacks.top(direction, scope).flatMap { top in
      // The state before each of them has to be there.
      top.allSatisfy { live.number - ($0.number - 1) <= historyLength } && !isClosed ? top : nil
    }
    if found?.revisions != top {
      faults.append(
        "\(direction) \(scope) would take back \(String(describing: found?.revisions)) "
          + "instead of \(String(describing: top))")
    }
    if let found {
      if found.changes.map(\.revision) != found.revisions
        || found.changes.contains(where: { change in
          change.after != change.revision.number || change.before != change.after - 1
        })
      {
        faults.append("\(found.revisions) are taken back with the states of others")
      }
      let isNamed = found.revisions.contains { published[$0.number - 1].isNamed }
      if found.name.map({ Int($0) != nil }) != (isNamed ? true : nil) {
        faults.append("\(found.revisions) have the name \(String(describing: found.name))")
      }
    }
    return found?.revisions
  }
}
