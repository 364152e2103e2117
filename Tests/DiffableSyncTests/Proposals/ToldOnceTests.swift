import Foundation
import ListSupport
import Synchronization
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// Who overrules a model of another writer is told so once, in whatever order things happen.
@Suite("Models that an edit has overruled") struct ToldOnceTests {
  typealias Batch = ModelBatch<String, Card>

  enum Event: Hashable {
    case edit
    /// Another writer changes the same model on the server.
    case theirs
    /// Another writer changes another field of the model.
    case elsewhere
    /// The next revision arrives.
    case deliver
    case send
    case arrive
    case answer
    /// Fault: the proposal or its answer is lost.
    case lose
    /// The app ends and begins again, with what it has stored.
    case restart
  }

  /// What another writer changes of the model that the edit changes.
  enum Others: CaseIterable {
    /// The same field.
    case text
    /// The same field and another one, in one write.
    case both
    /// The same field and another one, in two writes.
    case apart
  }

  /// What the follower was told, in all of its lives.
  final class Outcomes: Sendable {
    private let all = Mutex<[ProposalAcceptance<Batch>]>([])

    var acceptances: [ProposalAcceptance<Batch>] { all.withLock { $0 } }

    func add(_ outcome: ProposedWrite<Batch>.Outcome) {
      guard case .accepted(let acceptance) = outcome else { return }
      all.withLock { $0.append(acceptance) }
    }
  }

  struct World {
    let server: SourceCore<String, Int>
    private(set) var list: EditedList<Batch>
    let outcomes = Outcomes()
    private let kernels = Snapshot<String, Int>.makeKernels(
      models: ElementKernel(models: Card.self))
    private let handlers: ModelHandlers<String>
    private let others: Others
    private let cursor: CursorToken
    private var deltas: [Batch.Delta] = []
    private var received = 0
    private var proposal: Proposal<Batch>?
    private var reply: ProposalAnswer<Batch>?
    private var done: Set<Event> = []
    /// Whether the server had the others' model when it accepted the edit.
    private var isLate = false
    private var wasSeen = false
    private var isAccepted = false

    init(hasHandler: Bool, _ others: Others = .text) throws {
      self.others = others
      handlers =
        hasHandler
        ? ModelHandlers(drop: nil) { (base: Card, theirs: Card, mine: Card) in
          var merged = mine
          if mine.column == base.column { merged.column = theirs.column }
          if mine.text == base.text { merged.text = theirs.text }
          if theirs.text != base.text, mine.text != base.text {
            merged.text = theirs.text + "|" + mine.text
          }
          return merged
        } : ModelHandlers()
      server = SourceCore(SourceOptions(), kernels: kernels, children: nil, handlers: handlers)
      list = .unread(kernels, handlers)
      cursor = CursorToken(hub: server.hub, policy: .every(limit: 1000), after: nil)
      try write {
        $0.appendSections(["s"])
        try $0.appendItems([Card(id: 1, text: "0")], toSection: "s")
      }
      try perform(.deliver)
      observe()
    }

    private func observe() { list.decided = { [outcomes] _, outcome in outcomes.add(outcome) } }

    private mutating func write(_ edit: (inout Batch.Draft) throws -> Void) throws {
      try server.begin(ifRevision: nil)
      try server.transact(.animated) {
        try server.live.update(duplicates: .reject) { try Batch._edit(&$0, &$1, renamed: [], edit) }
      }
      publish()
    }

    private mutating func publish() {
      let reader = RevisionReader<String, Int>(hub: server.hub)
      while let batch = reader.poll(cursor) { deltas.append(Batch(batch).delta) }
    }

    func model(_ state: Snapshot<String, Int>) -> Card? { state.model(of: 1, as: Card.self) }

    /// What can happen next.
    var events: [Event] {
      var events: [Event] = []
      for once in [Event.edit, .theirs, .restart] where !done.contains(once) {
        if once != .restart || done.contains(.edit) { events.append(once) }
      }
      if others == .apart, !done.contains(.elsewhere) { events.append(.elsewhere) }
      if received < deltas.count { events.append(.deliver) }
      if proposal == nil, reply == nil, done.contains(.edit) { events.append(.send) }
      if proposal != nil, reply == nil { events.append(.arrive) }
      if reply != nil { events.append(.answer) }
      if proposal != nil, !done.contains(.lose) { events.append(.lose) }
      return events
    }

    /// - Returns: Whether anything has happened.
    @discardableResult
    mutating func perform(_ event: Event) throws -> Bool {
      switch event {
      case .edit:
        wasSeen = model(list.overlay.core.snapshot)?.text != "0"
        _ = try list.add(
          { snapshot, given, names in
            try Batch._edit(&snapshot, &given, renamed: names.renames.inOrder) {
              try $0.update(1) { $0.text = "mine" }
            }
            return Contradictions()
          }, named: "Edit", .animated)
      case .theirs:
        if !isAccepted { isLate = true }
        try write { [others] in
          try $0.update(1) {
            $0.text = "theirs"
            if others == .both { $0.column = "b" }
          }
        }
      case .elsewhere:
        try write { try $0.update(1) { $0.column = "b" } }
      case .deliver:
        let delta = deltas[received]
        received += 1
        _ = try list.apply { () throws(DeltaError) in delta }
      case .send:
        proposal = list.next()
        return proposal != nil
      case .arrive:
        guard let proposal else { return false }
        let sent = try JSONDecoder().decode(
          Proposal<Batch>.self, from: JSONEncoder().encode(proposal))
        reply = try server.accept(sent) { _, _ in }
        if case .accepted = reply { isAccepted = true }
        publish()
      case .answer:
        guard let sent = proposal, let answer = reply else { return false }
        (proposal, reply) = (nil, nil)
        list.receive(answer, for: sent.id)
      case .lose:
        guard let sent = proposal else { return false }
        (proposal, reply) = (nil, nil)
        list.fail(sent.id)
      case .restart:
        let stored = try JSONEncoder().encode(list.stored)
        (proposal, reply) = (nil, nil)
        list = .unread(kernels, handlers)
        observe()
        if let pending = try JSONDecoder().decode(PendingEdits<Batch>?.self, from: stored) {
          try list.resume(pending)
        }
      }
      done.insert(event)
      return true
    }

    /// Lets everything arrive that is on its way.
    mutating func finish() throws {
      while true {
        if proposal != nil {
          try perform(.arrive)
          try perform(.answer)
        } else if received < deltas.count {
          try perform(.deliver)
        } else if try !perform(.send) {
          return
        }
      }
    }

    /// What is wrong at the end.
    func fault() -> String? {
      guard done.contains(.edit) else { return nil }
      let isOverruled = isLate && !wasSeen && done.contains(.theirs)
      let acceptances = outcomes.acceptances
      if acceptances.count != 1 { return "told \(acceptances.count) times" }
      let told = acceptances.flatMap(\.conflicts)
      let (text, column) = (model(server.snapshot)?.text, model(server.snapshot)?.column)
      let isColumnLost =
        column
        != (done.contains(.elsewhere) || others == .both && done.contains(.theirs) ? "b" : "a")
      if model(list.overlay.core.snapshot)?.text != text { return "shows another text" }
      if handlers.merging != nil {
        if !told.isEmpty { return "told \(told) of what was merged" }
        if isColumnLost { return "has another column, \(column ?? "")" }
        if isOverruled, text != "theirs|mine" { return "merged to \(text ?? "nothing")" }
        return nil
      }
      if told != (isOverruled || isColumnLost ? [.item(1, .changedTwice)] : []) {
        return "told \(told)"
      }
      let theirs = acceptances.flatMap(\.theirs)
      if theirs.count != told.count { return "told of \(theirs)" }
      if isOverruled, theirs.map(\.text) != ["theirs"] { return "told of \(theirs)" }
      if isColumnLost, theirs.map(\.column) != ["b"] { return "told of \(theirs)" }
      return nil
    }
  }

  @Test(
    "Every order of edits, of the stream, of answers that are lost, and of a restart",
    arguments: [false, true], Others.allCases)
  func everyOrder(hasHandler: Bool, others: Others) throws {
    let depth = scoped(usual: 5, wide: 8, long: 10)
    var (number, count, faults) = (0, 0, [String]())
    func explore(_ events: [Event]) throws {
      var world = try World(hasHandler: hasHandler, others)
      for event in events where try !world.perform(event) { return }
      count += 1
      let next = world.events
      var ended = world
      try ended.finish()
      if let fault = ended.fault() { faults.append("\(events): \(fault)") }
      guard events.count < depth else { return }
      for event in next {
        // Of the longest, some.
        number += 1
        guard events.count < 3 || isInScope(number, usual: 4, wide: 3) else { continue }
        try explore(events + [event])
      }
    }
    try explore([])
    #expect(faults.isEmpty, "\(faults.count) of \(count), first: \(faults.first ?? "")")
    #expect(count > 20)
  }
}
