import ListSupport
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

  struct World {
    private var road: OwnerAndMirror<Batch>
    /// What the follower was told, in all of its lives.
    let told: Told<Batch>
    private let handlers: ModelHandlers<String>
    private let others: Others
    /// Whether the edit also renames the row.
    private let isRenaming: Bool
    private var done: Set<Event> = []
    /// Whether the server had the others' model when it accepted the edit.
    private var isLate = false
    private var wasSeen = false
    private var isAccepted = false

    init(hasHandler: Bool, _ others: Others = .text, isRenaming: Bool = false) throws {
      (self.others, self.isRenaming) = (others, isRenaming)
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
      road = try OwnerAndMirror([Card(id: 1, text: "0")], handlers)
      told = Told(of: road.list)
    }

    /// What the row is called in a state.
    private func name(_ state: Snapshot<String, Int>) -> Int { state.containsItem(5) ? 5 : 1 }

    func model(_ state: Snapshot<String, Int>) -> Card? {
      state.model(of: name(state), as: Card.self)
    }

    /// What can happen next.
    var events: [Event] {
      var events: [Event] = []
      for once in [Event.edit, .theirs, .restart] where !done.contains(once) {
        if once != .restart || done.contains(.edit) { events.append(once) }
      }
      if others == .apart, !done.contains(.elsewhere) { events.append(.elsewhere) }
      if road.isBehind { events.append(.deliver) }
      if road.proposal == nil, done.contains(.edit) { events.append(.send) }
      if road.proposal != nil, road.answer == nil { events.append(.arrive) }
      if road.answer != nil { events.append(.answer) }
      if road.proposal != nil, !done.contains(.lose) { events.append(.lose) }
      return events
    }

    /// - Returns: Whether anything has happened.
    @discardableResult mutating func perform(_ event: Event) throws -> Bool {
      switch event {
      case .edit:
        wasSeen = model(road.list.overlay.core.snapshot)?.text != "0"
        try road.edit { [isRenaming] draft in
          guard isRenaming, var card = draft.model(for: 1) else {
            return try draft.update(1) { $0.text = "mine" }
          }
          card.text = "mine"
          card.rename(to: 5)
          try draft.renameItem(1, to: card)
        }
      case .theirs:
        if !isAccepted { isLate = true }
        try road.write { [others, name = name(road.server.snapshot)] in
          try $0.update(name) {
            $0.text = "theirs"
            if others == .both { $0.column = "b" }
          }
        }
      case .elsewhere:
        let name = name(road.server.snapshot)
        try road.write { try $0.update(name) { $0.column = "b" } }
      case .deliver: try road.deliverNext()
      case .send:
        road.post()
        return road.proposal != nil
      case .arrive:
        try road.arrive()
        if road.answer?.acceptance != nil { isAccepted = true }
      case .answer: road.receive()
      case .lose: road.lose()
      case .restart: try road.restart()
      }
      done.insert(event)
      return true
    }

    /// Lets everything arrive that is on its way.
    mutating func finish() throws {
      while true {
        if road.proposal != nil {
          try perform(.arrive)
          try perform(.answer)
        } else if road.isBehind {
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
      let acceptances = told.acceptances
      if acceptances.count != 1 { return "told \(acceptances.count) times" }
      let conflicts = acceptances.flatMap(\.conflicts)
      let live = model(road.server.snapshot)
      let (text, column) = (live?.text, live?.column)
      let isColumnLost =
        column
        != (done.contains(.elsewhere) || others == .both && done.contains(.theirs) ? "b" : "a")
      if model(road.list.overlay.core.snapshot)?.text != text { return "shows another text" }
      if handlers.merging != nil {
        if !conflicts.isEmpty { return "told \(conflicts) of what was merged" }
        if isColumnLost { return "has another column, \(column ?? "")" }
        if isOverruled, text != "theirs|mine" { return "merged to \(text ?? "nothing")" }
        return nil
      }
      let name = name(road.server.snapshot)
      if conflicts != (isOverruled || isColumnLost ? [.item(name, .changedTwice)] : []) {
        return "told \(conflicts)"
      }
      let theirs = acceptances.flatMap(\.theirs)
      if theirs.count != conflicts.count { return "told of \(theirs)" }
      if isOverruled, theirs.map(\.text) != ["theirs"] { return "told of \(theirs)" }
      if isColumnLost, theirs.map(\.column) != ["b"] { return "told of \(theirs)" }
      return nil
    }
  }

  @Test(
    "Every order of edits, of the stream, of answers that are lost, and of a restart",
    arguments: [false, true], Others.allCases)
  func everyOrder(hasHandler: Bool, others: Others) throws {
    try expectNoFault(depth: scoped(usual: 5, wide: 8, long: 10), usual: 4) {
      try World(hasHandler: hasHandler, others)
    }
  }

  @Test("An edit that renames the row is no different", arguments: [false, true], Others.allCases)
  func renaming(hasHandler: Bool, others: Others) throws {
    try expectNoFault(depth: scoped(usual: 4, wide: 7), usual: 2, except: [.lose, .restart]) {
      try World(hasHandler: hasHandler, others, isRenaming: true)
    }
  }

  /// Tries every order of events, and lets what is on its way arrive after it.
  private func expectNoFault(
    depth: Int, usual: Int, except left: Set<Event> = [], in start: () throws -> World
  ) throws {
    var (number, count, faults) = (0, 0, [String]())
    func explore(_ events: [Event]) throws {
      var world = try start()
      for event in events where try !world.perform(event) { return }
      count += 1
      let next = world.events.filter { !left.contains($0) }
      var ended = world
      try ended.finish()
      if let fault = ended.fault() { faults.append("\(events): \(fault)") }
      guard events.count < depth else { return }
      for event in next {
        // Of the longest, some.
        number += 1
        guard events.count < 3 || isInScope(number, usual: usual, wide: 3) else { continue }
        try explore(events + [event])
      }
    }
    try explore([])
    #expect(faults.isEmpty, "\(faults.count) of \(count), first: \(faults.first ?? "")")
    #expect(count > 10)
  }

  /// How far an edit has come.
  enum Stage: CaseIterable {
    case made, sent, accepted
    /// The mirror shows it, and its answer is on the way, is lost, or was requested again.
    case shown, shownAndLost, askedAgain
  }

  @Test("When the list ends, the outcome of each edit is told once", arguments: Stage.allCases)
  func finished(stage: Stage) throws {
    var road = try OwnerAndMirror<Batch>([])
    let told = Told(of: road.list)
    for item in 1...2 {
      try road.edit { try $0.appendItems([Card(id: item)], toSection: "s") }
    }
    let names = road.list.undecided.map(\.id)
    if stage != .made {
      let proposal = try #require(road.list.next())
      let answer = try road.accept(proposal)
      if stage == .accepted { road.list.receive(answer.withoutDelta, for: proposal.id) }
      if [.shown, .shownAndLost, .askedAgain].contains(stage) { try road.deliver() }
      if [.shownAndLost, .askedAgain].contains(stage) { road.list.fail(proposal.id) }
      if stage == .askedAgain { #expect(road.list.next()?.id == proposal.id) }
    }
    #expect(told.ids.isEmpty)
    road.list.finish()
    #expect(names.count == 2 && told.ids == names)
    #expect(road.list.next() == nil)
    // The next life learns what the owner makes of each.
    try road.restart()
    try road.send()
    #expect(told.ids == names + names)
    #expect(road.server.snapshot.itemIdentifiers == [1, 2])
  }

  @Test(
    "What the mirror shows is accepted, though the owner knows nothing of it when asked again",
    arguments: [false, true])
  func forgotten(isUnknown: Bool) throws {
    for isAskedAgain in [false, true] {
      var road = try OwnerAndMirror<Batch>([])
      let told = Told(of: road.list)
      try road.edit { try $0.appendItems([Card(id: 1)], toSection: "s") }
      let proposal = try #require(road.list.next())
      _ = try road.accept(proposal)
      try road.deliver()
      if isAskedAgain {
        road.list.fail(proposal.id)
        #expect(road.list.next()?.id == proposal.id)
      }
      let refusal = Refusal(code: "forgotten", reason: "It is not known here.")
      road.list.receive(isUnknown ? .unknownBase : .refused(refusal), for: proposal.id)
      #expect(told.acceptances.map(\.token) == [road.list.list.held])
      #expect(road.list.undecided.isEmpty && road.list.next() == nil)
      #expect(road.list.overlay.core.snapshot.itemIdentifiers == [1])
    }
  }

  @Test(
    "Who inserts what others insert is told their model, whether the mirror finds it or the owner",
    arguments: [false, true], [false, true])
  func insertedTwice(isDelivered: Bool, isRestarted: Bool) throws {
    var road = try OwnerAndMirror<Batch>([Card(id: 1)])
    let told = Told(of: road.list)
    try road.edit { draft in
      let card = Card(id: 2, text: "mine")
      if draft.snapshot.containsItem(2) {
        draft.setModel(card)
      } else {
        try draft.appendItems([card], toSection: "s")
      }
    }
    try road.write { try $0.appendItems([Card(id: 2, text: "theirs")], toSection: "s") }
    if isDelivered { try road.deliver() }
    if isRestarted { try road.restart() }
    try road.send()
    #expect(told.acceptances.map(\.theirs) == [[Card(id: 2, text: "theirs")]])
    #expect(told.acceptances.first?.conflicts.contains(.item(2, .changedTwice)) == true)
    #expect(road.server.snapshot.model(of: 2, as: Card.self)?.text == "mine")
  }

  @Test(
    "An undo that waits is told what it has left to others, whether the mirror finds it or the owner",
    arguments: [false, true], [false, true])
  func undone(isDelivered: Bool, isRestarted: Bool) throws {
    var road = try OwnerAndMirror<Batch>([Card(id: 1, text: "0"), Card(id: 2, text: "0")])
    try road.edit { draft in
      for item in 1...2 { try draft.update(item) { $0.text = "mine" } }
    }
    try road.send()
    let told = Told(of: road.list)
    #expect(try road.list.reverse(.undo, .animated)?.conflicts == [])
    try road.write { try $0.update(1) { $0.text = "theirs" } }
    if isDelivered { try road.deliver() }
    if isRestarted { try road.restart() }
    try road.send()
    #expect(told.acceptances.map(\.conflicts) == [[.item(1, .changedTwice)]])
    #expect(told.acceptances.map { $0.theirs.map(\.text) } == [["theirs"]])
    let texts = (1...2).map { road.server.snapshot.model(of: $0, as: Card.self)?.text }
    #expect(texts == ["theirs", "0"])
  }

  @Test("Models of others come with the contradictions that are told, and with no others")
  func modelsOfOthers() {
    typealias Conflict = MergeConflict<String, Int>
    let conflicts: [Conflict] = [
      .section("s", .changedTwice), .item(1, .changedTwice), .item(2, .movedTwice),
      .item(2, .changedTwice), .item(3, .deletedButChanged),
    ]
    let acceptance = ProposalAcceptance<Batch>(
      token: ResumeToken(""), conflicts: conflicts,
      theirs: [1, 2, 3].map { Card(id: $0, text: "theirs") })
    for number in 0..<1 << conflicts.count {
      let told = conflicts.indices.filter { number & 1 << $0 != 0 }.map { conflicts[$0] }
      let left = acceptance.adding(nil, except: told)
      #expect(left.conflicts == conflicts.filter { !told.contains($0) })
      let models = [(1, conflicts[1]), (2, conflicts[3]), (3, conflicts[4])]
      #expect(left.theirs.map(\.id) == models.filter { !told.contains($0.1) }.map(\.0))
      // Whichever of them the mirror has met alone, each comes once.
      let both = left.adding(acceptance, except: [])
      #expect(both.conflicts.count == conflicts.count && Set(both.conflicts) == Set(conflicts))
      #expect(both.theirs.map(\.id).sorted() == [1, 2, 3])
    }
  }
}
