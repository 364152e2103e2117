import Diffable
import ListSupport

extension World {
  /// A subscriber's process is handed a batch, or the end, and goes on.
  mutating func receive(_ index: Int, _ number: Int, _ transition: Step?) {
    processes[index].phase = .ready
    processes[index].position += 1
    guard let transition else {
      if !subscribers[number].isGone {
        if !isFinished { faults.append("subscriber \(number) ends, but nobody ended it") }
        if subscribers[number].shown != live {
          faults.append("subscriber \(number) ends before it has taken \(live)")
        }
      }
      subscribers[number].isGone = true
      return
    }
    if subscribers[number].isGone { faults.append("subscriber \(number) is gone, but served") }
    faults += violations(of: transition, for: subscribers[number]).map {
      "subscriber \(number): \($0)"
    }
    subscribers[number].shown = transition.target.revision
  }

  /// What is wrong with a batch for a subscriber.
  private func violations(of step: Step, for subscriber: Subscriber) -> [String] {
    var violations: [String] = []
    func expect(_ condition: Bool, _ message: String) {
      if !condition { violations.append(message) }
    }
    let target = step.target.revision
    expect(step.target.state == target.number, "the state of \(target) is \(step.target.state)")
    expect(target <= live, "\(target) is not published")
    guard let shown = subscriber.shown else {
      expect(step.base == nil, "it starts from \(step.base.debugDescription), not from scratch")
      expect(target == live, "it starts at \(target), not at \(live)")
      expect(step.presentation == .reset, "it starts with \(step.presentation)")
      let notes = published.last?.hasNotes == true ? [live.number] : []
      expect(step.notes.flatMap { $0 } == notes, "it starts with the notes of \(step.notes)")
      return violations
    }
    expect(step.base?.revision == shown, "the base is not \(shown)")
    expect(step.base?.state == shown.number, "the state of \(shown) is another one")
    expect(shown < target, "it goes from \(shown) to \(target)")
    let backlog = live.number - shown.number
    // A source that is gone takes all its states along but the last.
    let isStepwise = backlog <= subscriber.limit && backlog <= historyLength + 1 && !isClosed
    expect(target == (isStepwise ? shown.next : live), "it is sent to \(target)")
    guard shown < target, target <= live else { return violations }
    let passed = (shown.number..<target.number).map { (number: $0 + 1, published[$0]) }
    expect(
      step.presentation == passed.map(\.1.presentation).max(),
      "\(step.presentation) is not the strongest presentation")
    let notes = passed.filter(\.1.hasNotes).map(\.number)
    expect(step.notes.flatMap { $0 } == notes, "notes of \(step.notes) instead of \(notes)")
    return violations
  }

  /// What must hold when no process can take a step.
  mutating func checkAtRest() {
    for (index, process) in processes.enumerated() where process.position < process.program.count {
      switch process.phase {
      case .waiting:
        guard case .next(let number) = process.program[process.position] else { continue }
        if isFinished { faults.append("process \(index) waits although the source has finished") }
        if subscribers[number].isGone { faults.append("process \(index) waits at nothing") }
        if subscribers[number].shown != live {
          faults.append("process \(index) waits although there is a batch for it")
        }
      case .settling:
        if maySettle(index) { faults.append("process \(index) waits for settling for nobody") }
      case .ready, .begun, .joining:
        // Not enabled for ever: the set of events makes no sense.
        faults.append("process \(index) is stuck at operation \(process.position)")
      }
    }
  }
}

extension Revision {
  var next: Revision { Revision(number + 1) }
}

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
