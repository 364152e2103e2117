import Diffable

@testable import DiffableEngine

/// A mistake that an implementation of the machine could contain.
enum Defect: CaseIterable {
  case doesNotLookAgainBeforeWaiting
  case resumesTwice
  case leavesWaiterWhenDropped
  case leavesWaiterWhenFinished
  case endsBeforeTheLastBatch
  case wakesOneSubscriberOnly
  case keepsOldBase
  case skipsRevisionsOfEvery
  case forgetsNotesOfEvicted
  case carriesNotesTwice
  case weakensPresentation
  case servesWhoIsGone
  case settlesTooEarly
  case neverSettlesWhenDropped
  case forgetsExemption
  case ignoresCancellationOfSettled
  case leavesSettlingWhenFinished
  case forgetsNames
  case cannotRedo
  case undoesOverAndOver
  case passesOverNothing
  case groupsNothing
  case pollsSeveralRevisions
  case losesWhatWasPolled
  case waitsForWhoRests
}

/// The machine with one mistake in it, made by tampering with its events and actions.
struct Defective: MachineUnderTest {
  let defect: Defect
  var machine: SoundMachine
  /// Waiters that were promised something and did not get it.
  private var stranded: [(cursor: CursorID, waiter: Waiter, step: Step?)] = []
  private var lastTransitions: [CursorID: Step] = [:]
  private var dropped: Set<CursorID> = []
  private var settlingWaiters: [Waiter] = []

  init(_ machine: SoundMachine, _ defect: Defect) {
    self.machine = machine
    self.defect = defect
  }

  mutating func subscribe(_ policy: UpdatePolicy, after revision: Revision?) -> CursorID {
    machine.subscribe(
      defect == .skipsRevisionsOfEvery ? .coalesced : policy, after: revision)
  }

  mutating func begin(
    _ id: CursorID, task: TaskIdentity?
  ) -> (answer: SoundMachine.Answer, actions: SoundMachine.Actions) {
    let task = defect == .forgetsExemption ? nil : task
    if defect == .servesWhoIsGone, dropped.contains(id), let last = lastTransitions[id] {
      return (.transition(last), .init())
    }
    var result = machine.begin(id, task: task)
    if case .transition(let step) = result.answer {
      if defect == .endsBeforeTheLastBatch, isFinished {
        return (.ended, machine.drop(id))
      }
      result.answer = .transition(tamper(step, for: id))
    }
    return (result.answer, tamper(result.actions))
  }

  mutating func rest(_ id: CursorID) -> SoundMachine.Actions {
    var actions = machine.rest(id)
    if defect == .waitsForWhoRests { actions.settled = [] }
    return tamper(actions)
  }

  mutating func poll(_ id: CursorID) -> (transition: Step?, actions: SoundMachine.Actions) {
    var (transition, actions) = machine.poll(id)
    if defect == .losesWhatWasPolled { transition = nil }
    if defect == .pollsSeveralRevisions, transition == nil,
      case (.transition(let step), let others) = machine.begin(id, task: nil)
    {
      (transition, actions) = (step, others)
    }
    return (transition.map { tamper($0, for: id) }, tamper(actions))
  }

  mutating func wait(_ id: CursorID, waiter: Waiter) -> SoundMachine.Actions {
    var actions = machine.wait(id, waiter: waiter)
    if defect == .doesNotLookAgainBeforeWaiting {
      stranded += actions.resumed.map { (id, $0.waiter, $0.transition) }
      actions.resumed = []
    } else {
      actions.resumed = actions.resumed.map {
        ($0.waiter, $0.transition.map { tamper($0, for: id) })
      }
    }
    return tamper(actions)
  }

  mutating func drop(_ id: CursorID) -> SoundMachine.Actions {
    dropped.insert(id)
    var actions = machine.drop(id)
    if defect == .leavesWaiterWhenDropped { actions.resumed = [] }
    if defect == .neverSettlesWhenDropped { actions.settled = [] }
    return tamper(actions)
  }

  mutating func publish(
    state: Int, notes: [Int]?, presentation: Presentation, kind: RevisionKind
  ) -> SoundMachine.Actions {
    var kind = kind
    switch (defect, kind) {
    case (.forgetsNames, .change): kind = .change(name: nil)
    case (.cannotRedo, .undo): kind = .change(name: nil)
    default: break
    }
    var actions = machine.publish(
      state: state, notes: notes, presentation: presentation, kind: kind)
    // Whoever did not look again is found by the next publish, as a registered waiter would be.
    actions.resumed += stranded.map { ($0.waiter, $0.step) }
    stranded = []
    if defect == .wakesOneSubscriberOnly { actions.resumed = Array(actions.resumed.prefix(1)) }
    actions.resumed = actions.resumed.map { resumed in
      (resumed.waiter, resumed.transition.map { tamper($0, for: nil) })
    }
    return tamper(actions)
  }

  func reversible(
    _ direction: UndoDirection, _ scope: UndoScope
  ) -> SoundMachine.History.Reversible? {
    defect == .undoesOverAndOver
      ? machine.reversible(.undo, .everything) : machine.reversible(direction, scope)
  }

  mutating func passOver(_ revisions: [Revision], _ direction: UndoDirection) {
    if defect != .passesOverNothing { machine.passOver(revisions, direction) }
  }

  mutating func groupUndo(since revision: Revision, by author: String?) {
    if defect != .groupsNothing { machine.groupUndo(since: revision, by: author) }
  }

  mutating func joined(
    _ request: SoundMachine.History.JoinRequest, notes: [Int], presentation: Presentation
  ) -> SoundMachine.Actions {
    machine.joined(
      request, notes: defect == .forgetsNotesOfEvicted ? [] : notes, presentation: presentation)
  }

  private var isFinished = false

  mutating func finish() -> SoundMachine.Actions {
    isFinished = true
    var actions = machine.finish()
    if defect == .leavesWaiterWhenFinished { actions.resumed = [] }
    if defect == .leavesSettlingWhenFinished { actions.settled = [] }
    return tamper(actions)
  }

  mutating func close() -> SoundMachine.Actions {
    isFinished = true
    return tamper(machine.close())
  }

  mutating func settle(
    _ target: Revision, id: SettlingID, task: TaskIdentity?, waiter: Waiter, isCancelled: Bool
  ) -> SoundMachine.Actions {
    if defect == .settlesTooEarly {
      var actions = SoundMachine.Actions()
      actions.settled = [waiter]
      return actions
    }
    return tamper(
      machine.settle(
        target, id: id, task: task, waiter: waiter,
        isCancelled: defect == .ignoresCancellationOfSettled ? false : isCancelled))
  }

  mutating func cancelSettling(_ id: SettlingID) -> SoundMachine.Actions {
    tamper(machine.cancelSettling(id))
  }

  private mutating func tamper(_ step: Step, for id: CursorID?) -> Step {
    var base = step.base
    var presentation = step.presentation
    var notes = step.notes
    switch defect {
    case .keepsOldBase:
      if let id, let last = lastTransitions[id], last.base != nil { base = last.base }
    case .carriesNotesTwice:
      notes += notes.prefix(1)
    case .weakensPresentation:
      if step.base != nil { presentation = .immediate }
    default: break
    }
    if let id { lastTransitions[id] = step }
    return Step(base: base, target: step.target, presentation: presentation, notes: notes)
  }

  private func tamper(_ actions: SoundMachine.Actions) -> SoundMachine.Actions {
    var actions = actions
    if defect == .resumesTwice { actions.resumed += actions.resumed }
    return actions
  }
}
