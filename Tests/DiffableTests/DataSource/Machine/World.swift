import Diffable
import ListSupport

@testable import DiffableEngine

/// What a process does, one operation after the other.
enum Operation {
  /// Publishes the next revision, with notes or without.
  case publish(Presentation, notes: Bool)
  /// Publishes the next revision under a name.
  case publishNamed
  /// Publishes the next revision as a change of an author, under a name or without.
  case publishBy(String, named: Bool)
  /// Publishes a revision that takes one back, if there is one to take back.
  case reverse(UndoDirection, UndoScope)
  /// Finds that taking one back would change nothing, and goes on to the one below it.
  case passOver(UndoDirection, UndoScope)
  /// Lets undo revert the last revisions as one step, as many as there are; or those of an author.
  case groupUndo(Int, by: String? = nil)
  case finish
  case close
  case subscribe(Int)
  /// Asks for a batch: a step that begins and, if there is none yet, a step that waits.
  case next(Int)
  /// Takes the batch that is there and leads to a single revision, if there is one.
  case poll(Int)
  /// Keeps nobody waiting until it asks again.
  case rest(Int)
  /// Cancels a subscriber, or forgets its stream.
  case drop(Int)
  case settle(Revision)
  /// Cancels the task of another process that is, was or will be in `settle`.
  case cancel(process: Int)
}

/// A machine among processes that use it, and what an observer knows must hold.
///
/// Every rule here is written down a second time, from the meaning of the public interface rather
/// than from the machine.
struct World {
  struct Process {
    enum Phase: Equatable {
      case ready
      /// Between the two halves of `next`.
      case begun
      case waiting
      case settling(exempt: Set<Int>, open: Set<Int>)
      /// Between publishing and handing in notes that were joined.
      case joining
    }

    let program: [Operation]
    var position = 0
    var phase = Phase.ready
    var isCancelled = false
  }

  struct Subscriber {
    let policy: UpdatePolicy
    /// The number of revisions that may wait, 0 for a policy that coalesces.
    let limit: Int
    let after: Revision?
    var id: CursorID?
    var shown: Revision?
    var hasAsked = false
    var lastProcess: Int?
    var isGone = false
  }

  struct Published {
    let presentation: Presentation
    let hasNotes: Bool
    let isNamed: Bool
  }

  let historyLength: Int
  var machine: SoundMachine
  var processes: [Process]
  var subscribers: [Subscriber]
  var published: [Published] = []
  var undoStacks = UndoStacks()
  var isFinished = false
  var isClosed = false
  var joinRequest: SoundMachine.History.JoinRequest?
  var faults: [String] = []

  var live: Revision { Revision(published.count) }
}

extension World {
  /// The processes that can take a step now.
  var enabled: [Int] {
    processes.indices.filter { index in
      let process = processes[index]
      guard process.position < process.program.count else { return false }
      switch process.phase {
      case .waiting, .settling: return false
      case .begun, .joining: return true
      case .ready:
        switch process.program[process.position] {
        // The actor takes one writer at a time, joining included.
        case .publish, .publishNamed, .publishBy, .reverse, .passOver, .groupUndo, .finish, .close:
          return joinRequest == nil
        case .next(let subscriber), .poll(let subscriber), .rest(let subscriber),
          .drop(let subscriber):
          return subscribers[subscriber].id != nil
        default: return true
        }
      }
    }
  }

  /// Lets a process take one step.
  mutating func step(_ index: Int) {
    let process = processes[index]
    let waiter = Waiter(process: index, operation: process.position)
    switch (process.program[process.position], process.phase) {
    case (_, .joining):
      finishJoining(index)
    case (.publish(let presentation, let notes), _):
      publish(index, presentation, notes: notes, .change(name: nil))
    case (.publishNamed, _):
      publish(index, .animated, notes: false, .change(name: "\(live.number + 1)"))
    case (.publishBy(let author, let isNamed), _):
      let name = isNamed ? "\(live.number + 1)" : nil
      publish(index, .animated, notes: false, .change(name: name, by: author))
    case (.reverse(let direction, let scope), _):
      reverse(index, direction, scope)
    case (.passOver(let direction, let scope), _):
      if let found = expectReversible(direction, scope) {
        machine.passOver(found, direction)
        undoStacks.passOver(found, direction) { [published] in published[$0.number - 1].isNamed }
      }
      advance(index)
    case (.groupUndo(let count, by: let author), _):
      let base = Revision(max(0, live.number - count))
      machine.groupUndo(since: base, by: author)
      undoStacks.group(since: base, by: author)
      advance(index)
    case (.finish, _):
      isFinished = true
      advance(index)
      perform { $0.finish(&$1) }
    case (.close, _):
      isFinished = true
      isClosed = true
      advance(index)
      perform { $0.close(&$1) }
    case (.subscribe(let number), _):
      subscribe(number)
      advance(index)
    case (.next(let number), .begun):
      processes[index].phase = .waiting
      let id = subscribers[number].id
      if let id { perform { $0.wait(id, waiter: waiter, &$1) } }
    case (.next(let number), _):
      begin(index, number)
    case (.poll(let number), _):
      poll(index, number)
    case (.rest(let number), _):
      rest(index, number)
    case (.drop(let number), _):
      subscribers[number].isGone = true
      advance(index)
      if let id = subscribers[number].id { perform { $0.drop(id, &$1) } }
    case (.settle(let target), _):
      settle(index, target, waiter)
    case (.cancel(let other), _):
      processes[other].isCancelled = true
      advance(index)
      perform { $0.cancelSettling(SettlingID(number: UInt64(1000 + other)), &$1) }
    }
  }

  mutating func subscribe(_ number: Int) {
    let subscriber = subscribers[number]
    subscribers[number].id = machine.subscribe(subscriber.policy, after: subscriber.after)
    if let after = subscriber.after, after <= live, live.number - after.number <= historyLength {
      subscribers[number].shown = after
    }
  }

  private mutating func advance(_ index: Int) {
    processes[index].phase = .ready
    processes[index].position += 1
  }

  private mutating func publish(
    _ index: Int, _ presentation: Presentation, notes: Bool, _ kind: RevisionKind
  ) {
    guard !isFinished else { return advance(index) }
    let isNamed =
      switch kind {
      case .change(let name, by: _): name != nil
      case .nothing: false
      case .undo(of: let others): others.contains { published[$0.number - 1].isNamed }
      case .redo(of: let other): published[other.number - 1].isNamed
      }
    published.append(
      Published(presentation: presentation, hasNotes: notes, isNamed: isNamed))
    undoStacks.publish(live, kind) { [published] in published[$0.number - 1].isNamed }
    let number = live.number
    let (request, actions) = machine.process {
      $0.publish(
        state: number, notes: notes ? [number] : nil, presentation: presentation, kind: kind, &$1)
    }
    joinRequest = request
    if joinRequest == nil { advance(index) } else { processes[index].phase = .joining }
    perform(actions)
  }

  private mutating func reverse(
    _ index: Int, _ direction: UndoDirection, _ scope: UndoScope
  ) {
    guard let found = expectReversible(direction, scope) else { return advance(index) }
    publish(
      index, .animated, notes: false,
      direction == .undo ? .undo(of: found) : .redo(of: found[0]))
  }

  private mutating func finishJoining(_ index: Int) {
    guard let request = joinRequest else { return }
    joinRequest = nil
    advance(index)
    _ = machine.process {
      $0.history.replaceNotes(
        request, by: request.notes.flatMap { $0 }, presentation: .immediate, &$1.released)
    }
  }

  private mutating func begin(_ index: Int, _ number: Int) {
    guard let id = subscribers[number].id else { return }
    if !subscribers[number].isGone {
      subscribers[number].hasAsked = true
      subscribers[number].lastProcess = index
    }
    let task = TaskIdentity(number: UInt64(index))
    let (answer, actions) = machine.process { $0.begin(id, task: task, &$1) }
    switch answer {
    case .transition(let transition): receive(index, number, transition)
    case .ended: receive(index, number, nil)
    case .woken: preconditionFailure("nobody wakes a subscriber here")
    case .wait: processes[index].phase = .begun
    }
    perform(actions)
  }

  private mutating func poll(_ index: Int, _ number: Int) {
    guard let id = subscribers[number].id else { return }
    let subscriber = subscribers[number]
    let isReady = !subscriber.isGone && subscriber.shown.map { $0.next == live } ?? true
    let (transition, actions) = machine.process { $0.poll(id, &$1) }
    if (transition != nil) != isReady {
      faults.append("subscriber \(number) polls at \(live) and gets \(transition.debugDescription)")
    }
    if let transition { receive(index, number, transition) } else { advance(index) }
    perform(actions)
  }

  private mutating func rest(_ index: Int, _ number: Int) {
    subscribers[number].hasAsked = false
    for other in processes.indices {
      if case .settling(let exempt, var open) = processes[other].phase {
        open.remove(number)
        processes[other].phase = .settling(exempt: exempt, open: open)
      }
    }
    advance(index)
    if let id = subscribers[number].id { perform { $0.rest(id, &$1) } }
  }

  private mutating func settle(_ index: Int, _ target: Revision, _ waiter: Waiter) {
    let open = subscribers.indices.filter { number in
      let subscriber = subscribers[number]
      guard subscriber.hasAsked, !subscriber.isGone, let shown = subscriber.shown else {
        return false
      }
      return shown < target
    }
    processes[index].phase = .settling(exempt: [], open: Set(open))
    // Whoever's own task waits is exempt, for all that wait now.
    let asleep = processes.indices.filter {
      if case .settling = processes[$0].phase { true } else { false }
    }
    let exempt = subscribers.indices.filter {
      subscribers[$0].lastProcess.map(asleep.contains) ?? false
    }
    for other in asleep {
      if case .settling(let known, let open) = processes[other].phase {
        processes[other].phase = .settling(exempt: known.union(exempt), open: open)
      }
    }
    let isCancelled = processes[index].isCancelled
    perform {
      $0.settle(
        target, id: SettlingID(number: UInt64(1000 + index)),
        task: TaskIdentity(number: UInt64(index)), waiter: waiter, isCancelled: isCancelled, &$1)
    }
  }

  private mutating func perform<Result>(
    _ event: (inout SoundMachine, inout SoundMachine.Actions) -> Result
  ) {
    perform(machine.process(event).actions)
  }

  private mutating func perform(_ actions: SoundMachine.Actions) {
    for (waiter, transition) in actions.resumed {
      let process = processes[waiter.process]
      guard process.phase == .waiting, process.position == waiter.operation,
        case .next(let number) = process.program[process.position]
      else {
        faults.append("\(waiter) is resumed, but does not wait")
        continue
      }
      receive(waiter.process, number, transition)
    }
    for waiter in actions.settled {
      guard case .settling = processes[waiter.process].phase,
        processes[waiter.process].position == waiter.operation
      else {
        faults.append("\(waiter) is told of settling, but does not wait for it")
        continue
      }
      if !maySettle(waiter.process) { faults.append("\(waiter) is told of settling too early") }
      advance(waiter.process)
    }
  }

  /// Answers whether nobody that a process waits for keeps it waiting.
  func maySettle(_ index: Int) -> Bool {
    guard case .settling(let exempt, let open) = processes[index].phase,
      case .settle(let target) = processes[index].program[processes[index].position]
    else { return false }
    return isFinished || processes[index].isCancelled
      || open.subtracting(exempt).allSatisfy { number in
        subscribers[number].isGone || subscribers[number].shown.map { $0 >= target } ?? false
      }
  }
}
