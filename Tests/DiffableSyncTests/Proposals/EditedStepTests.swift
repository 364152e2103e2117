import DiffableTesting
import ListSupport
import TestScope
import Testing

@testable import Diffable
@testable import DiffableSync

/// The steps of undo in a mirror, and how changes are shown on their way.
@Suite("Steps and presentations of changes in a mirror") struct EditedStepTests {
  typealias World = OwnerAndMirror<ModelBatch<String, Card>>

  private func world(_ ids: ClosedRange<Int> = 1...1) throws -> World {
    try World(ids.map { Card(id: $0, text: "0") })
  }

  private func text(_ world: World) -> String? {
    world.list.overlay.core.snapshot.model(of: 1, as: Card.self)?.text
  }

  private func write(_ number: Int, named name: String, _ world: World) throws {
    try world.edit(named: name) { $0.setModel(Card(id: 1, text: "\(number)")) }
  }

  @Test("The last 64 changes that have a name are taken back, and made again")
  func limit() throws {
    let world = try world()
    let numbers = Array(1...90)
    let named = numbers.filter { !$0.isMultiple(of: 5) }.map { "\($0)" }
    for number in numbers {
      if number.isMultiple(of: 5) {
        try world.edit(named: nil) { try $0.appendItems([Card(id: number)], toSection: "s") }
      } else {
        try write(number, named: "\(number)", world)
      }
    }
    #expect(named.count > 64)
    var names: [String] = []
    while let name = try world.list.reverse(.undo, .animated)?.name { names.append(name) }
    #expect(names == named.suffix(64).reversed())
    #expect(text(world) == named[named.count - 65])
    names = []
    while let name = try world.list.reverse(.redo, .animated)?.name { names.append(name) }
    #expect(names == named.suffix(64) && text(world) == "89")
    #expect(world.list.overlay.core.snapshot.numberOfItems == 1 + 90 / 5)
  }

  @Test(
    "All changes after a revision become one step, sent or not, in both directions",
    arguments: [false, true])
  func groups(isSent: Bool) throws {
    for first in 0...3 {
      var world = try world()
      var start = world.list.overlay.core.revision
      for number in 1...3 {
        try write(number, named: "\(number)", world)
        if isSent { try world.send() }
        if number == first { start = world.list.overlay.core.revision }
      }
      world.list.steps.join(since: start)
      // The names of the steps, newest first, and the text below each.
      var steps = (0..<first).reversed().map { (name: "\($0 + 1)", below: "\($0)") }
      if first < 3 { steps.insert(("3", "\(first)"), at: 0) }
      let comment: Comment = "after \(first), sent: \(isSent)"
      for _ in 0..<2 {
        for step in steps {
          #expect(world.list.steps.next(.undo)?.name == step.name, comment)
          #expect(try world.list.reverse(.undo, .animated)?.name == step.name, comment)
          if isSent { try world.send() }
          #expect(text(world) == step.below, comment)
        }
        #expect(world.list.steps.next(.undo) == nil, comment)
        for step in steps.reversed() {
          #expect(world.list.steps.next(.redo)?.name == step.name, comment)
          #expect(try world.list.reverse(.redo, .animated)?.name == step.name, comment)
          if isSent { try world.send() }
          #expect(text(world) == step.name, comment)
        }
        #expect(world.list.steps.next(.redo) == nil, comment)
      }
    }
  }

  @Test("They are two stacks, however far changes have come", arguments: 0..<UInt64(rounds(480)))
  func stacks(seed: UInt64) throws {
    typealias Step = (name: String, before: String, after: String)
    var random = SplitMix64(seed: seed)
    var world = try world()
    var (undo, redo, now) = ([Step](), [Step](), "0")
    var sent: Proposal<ModelBatch<String, Card>>?
    var rows = 1
    for step in 1...25 {
      let comment: Comment = "seed \(seed), step \(step)"
      switch random.number(below: 8) {
      case 0, 1:
        try write(step, named: "\(step)", world)
        undo.append((name: "\(step)", before: now, after: "\(step)"))
        (redo, now) = ([], "\(step)")
      case 2:
        // What has no name is no step, and stays.
        try world.edit(named: nil) { try $0.appendItems([Card(id: 10 + step)], toSection: "s") }
        rows += 1
      case 3, 4:
        #expect(try world.list.reverse(.undo, .animated)?.name == undo.last?.name, comment)
        guard let last = undo.popLast() else { continue }
        redo.append(last)
        now = last.before
      case 5:
        #expect(try world.list.reverse(.redo, .animated)?.name == redo.last?.name, comment)
        guard let last = redo.popLast() else { continue }
        undo.append(last)
        now = last.after
      default:
        guard let proposal = sent else {
          sent = world.list.next()
          continue
        }
        sent = nil
        world.list.receive(try world.accept(proposal), for: proposal.id)
        if random.chance(oneIn: 2) { try world.deliver() }
      }
      #expect(text(world) == now, comment)
      #expect(world.list.steps.next(.undo)?.name == undo.last?.name, comment)
      #expect(world.list.steps.next(.redo)?.name == redo.last?.name, comment)
      #expect(world.list.overlay.core.snapshot.numberOfItems == rows, comment)
    }
    if let proposal = sent { world.list.receive(try world.accept(proposal), for: proposal.id) }
    try world.send()
    #expect(world.list.undecided.isEmpty && text(world) == now, "seed \(seed)")
    #expect(world.server.snapshot == world.list.overlay.core.snapshot, "seed \(seed)")
    #expect(world.server.snapshot.model(of: 1, as: Card.self)?.text == now, "seed \(seed)")
  }

  @Test("A step that cannot be taken back, as the list has ended, is still the next one")
  func ended() throws {
    var world = try world()
    for number in 1...2 { try write(number, named: "\(number)", world) }
    try world.send()
    world.list.steps.join(since: Revision(1))
    world.list.overlay.core.finish()
    for _ in 0..<2 {
      #expect(throws: (any Error).self) { try world.list.reverse(.undo, .animated) }
      #expect(world.list.steps.next(.undo)?.name == "2" && text(world) == "2")
    }
  }

  @Test("Undo and redo go on in the next life with what waits", arguments: 1...2)
  func nextLife(restarts: Int) throws {
    func restarted(_ world: World) throws -> World {
      var world = world
      for _ in 0..<restarts { try world.restart() }
      return world
    }
    var start = try world()
    try write(1, named: "mine", start)
    try start.send()
    _ = try start.list.reverse(.undo, .animated)
    // The undo waits.
    var undone = try restarted(start)
    #expect(undone.list.steps.next(.undo) == nil)
    #expect(try undone.list.reverse(.redo, .animated)?.name == "mine" && text(undone) == "1")
    // Its redo waits.
    try undone.send()
    for direction in [UndoDirection.undo, .redo] {
      _ = try undone.list.reverse(direction, .animated)
      if direction == .undo { try undone.send() }
    }
    var redone = try restarted(undone)
    #expect(redone.list.steps.next(.redo) == nil)
    #expect(try redone.list.reverse(.undo, .animated)?.name == "mine" && text(redone) == "0")
    try redone.send()
    #expect(redone.server.snapshot.model(of: 1, as: Card.self)?.text == "0")
    // Both wait, the undo and a new change, after which it is not made undone any more.
    var changed = try world()
    try write(1, named: "mine", changed)
    try changed.send()
    _ = try changed.list.reverse(.undo, .animated)
    try write(2, named: "other", changed)
    changed = try restarted(changed)
    #expect(changed.list.steps.next(.redo) == nil)
    #expect(changed.list.steps.next(.undo)?.name == "other" && text(changed) == "2")
  }

  @Test("They also go on with what a version has stored that did not note which of them comes next")
  func lifeWithoutNotes() throws {
    var world = try world()
    try write(1, named: "mine", world)
    let steps: [(direction: UndoDirection, other: UndoDirection, text: String)] = [
      (.undo, .redo, "0"), (.redo, .undo, "1"), (.undo, .redo, "0"),
    ]
    for step in steps {
      try world.restart(from: world.life.withoutNotes)
      #expect(world.list.steps.next(step.direction)?.name == "mine")
      #expect(world.list.steps.next(step.other) == nil)
      #expect(try world.list.reverse(step.direction, .animated)?.name == "mine")
      #expect(text(world) == step.text)
    }
    try world.send()
    #expect(world.server.snapshot.model(of: 1, as: Card.self)?.text == "0")
  }

  /// What becomes of a change.
  enum Fate: CaseIterable { case accepted, refused, restarted, restartedWithoutRow }

  @Test(
    "A change keeps its presentation, here and at the owner", arguments: Fate.allCases,
    [Presentation.animated, .immediate, .inPlace, .reset])
  func presentation(fate: Fate, presentation: Presentation) throws {
    var world = try world()
    let hub = world.list.overlay.core.hub
    let reader = RevisionReader<String, Int>(hub: hub)
    let cursor = CursorToken(hub: hub, policy: .every(limit: 100), after: hub.revision)
    try world.edit(named: "mine", showing: presentation) { try $0.update(1) { $0.text = "mine" } }
    #expect(reader.poll(cursor)?.presentation == presentation)
    if fate == .restartedWithoutRow {
      try world.write { $0.deleteItems([1]) }
      try world.deliver()
    }
    if fate == .restarted || fate == .restartedWithoutRow { try world.restart() }
    #expect(world.list.undecided.map(\.presentation) == [presentation])
    let proposal = try #require(world.list.next())
    #expect(proposal.presentation == presentation)
    guard fate != .refused else {
      world.list.receive(.refused(Refusal(code: "no", reason: "No.")), for: proposal.id)
      #expect(reader.poll(cursor)?.presentation == presentation)
      #expect(text(world) == "0")
      return
    }
    let owner = world.server.hub
    let follower = CursorToken(hub: owner, policy: .every(limit: 100), after: owner.revision)
    world.list.receive(try world.accept(proposal), for: proposal.id)
    #expect(
      RevisionReader<String, Int>(hub: owner).poll(follower)?.presentation == presentation)
    guard fate != .restartedWithoutRow else { return }
    // An undo has one of its own. After a reset it waits for the owner's state.
    try world.deliver()
    _ = try world.list.reverse(.undo, .inPlace)
    #expect(world.list.next()?.presentation == .inPlace)
  }

  @Test(
    "What was not sent goes away as undo or redo is asked to show it", arguments: [false, true])
  func withdrawn(isSent: Bool) throws {
    var world = try world()
    let hub = world.list.overlay.core.hub
    let reader = RevisionReader<String, Int>(hub: hub)
    try write(1, named: "mine", world)
    if isSent { try world.send() }
    let cursor = CursorToken(hub: hub, policy: .every(limit: 100), after: hub.revision)
    for (direction, presentation) in [
      (UndoDirection.undo, Presentation.immediate), (.redo, .inPlace), (.undo, .animated),
      (.redo, .immediate),
    ] {
      _ = try world.list.reverse(direction, presentation)
      #expect(text(world) == (direction == .undo ? "0" : "1"))
      #expect(reader.poll(cursor)?.presentation == presentation)
    }
  }

  /// What a user does to the first of three rows.
  enum Deed: CaseIterable { case move, delete, write, rename }

  @Test(
    "What was not sent is made again although others renamed its row, before or after the undo",
    arguments: Deed.allCases, [[5], [5, 6], [nil, 6], [nil, nil]])
  func withdrawnAndRenamed(deed: Deed, names: [Int?]) throws {
    var world = try world(1...3)
    var name = 1
    func rename(to new: Int?) throws {
      guard let new else { return }
      try world.write { [name] in try $0.renameItem(name, to: Card(id: new, text: "0")) }
      try world.deliver()
      name = new
    }
    func items() -> [Int] { world.list.overlay.core.snapshot.itemIdentifiers }
    try world.edit { draft in
      switch deed {
      case .move: try draft.moveItem(1, afterItem: 3)
      case .delete: draft.deleteItems([1])
      case .write: try draft.update(1) { $0.text = "mine" }
      case .rename: try draft.renameItem(1, to: Card(id: 9, text: "0"))
      }
    }
    for (index, new) in names.enumerated() {
      if index == 1 { _ = try world.list.reverse(.undo, .animated) }
      try rename(to: new)
    }
    if names.count == 1 { _ = try world.list.reverse(.undo, .animated) }
    #expect(items() == [name, 2, 3])
    _ = try world.list.reverse(.redo, .animated)
    // A name that others have given since stays.
    let expected =
      switch deed {
      case .move: [2, 3, name]
      case .delete: [2, 3]
      case .write: [name, 2, 3]
      case .rename: [name == 1 ? 9 : name, 2, 3]
      }
    #expect(items() == expected)
    try world.send()
    #expect(world.server.snapshot.itemIdentifiers == expected)
    let text = world.server.snapshot.model(of: name, as: Card.self)?.text
    if deed == .write { #expect(text == "mine") }
  }

  @Test("A row that was renamed is renamed back, and again") func renamed() throws {
    var world = try world()
    let hub = world.list.overlay.core.hub
    let reader = RevisionReader<String, Int>(hub: hub)
    try world.edit { try $0.renameItem(1, to: Card(id: 5, text: "0")) }
    try world.send()
    for (direction, old, new) in [(UndoDirection.undo, 5, 1), (.redo, 1, 5), (.undo, 5, 1)] {
      let cursor = CursorToken(hub: hub, policy: .every(limit: 100), after: hub.revision)
      _ = try world.list.reverse(direction, .animated)
      #expect(reader.poll(cursor)?.renamedItems == [ItemRename(old: old, new: new)])
      try world.send()
      #expect(world.server.snapshot.itemIdentifiers == [new])
    }
  }
}
