import Diffable
import DiffableQueries
import DiffableTesting
import DiffableViews
import ListSupport

/// What does not hold.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Fails unless a promise is kept.
func promise(_ isKept: Bool, _ text: @autoclosure () -> String) throws {
  if !isKept { throw Failure(text()) }
}

/// A source of the world, with what it must show in plain arrays.
@MainActor
protocol Part: AnyObject {
  var source: any CardSource { get }
  /// What it shows, as somebody would say who has seen all that has happened.
  var truth: PlainList { get }
  /// What was marked in it by the last event.
  var marks: Marks { get }
  /// Works out the truth and the marks after an event, from those of the parts before it.
  func follow()
  /// Notes rows whose views show something else: a source that shows this one may show them again.
  func hint(_ souls: Set<Int>)
  /// The lists that are shown by it.
  var roots: Set<ObjectIdentifier> { get }
  /// Whether it follows two sources, the one after the other: in between, it shows what neither has asked for.
  var followsTwo: Bool { get }
  /// Whether a list reaches it on two ways, so that a row may come from the one or the other, and while one way is
  /// longer, be there twice.
  var isTwofold: Bool { get }
  /// What it promises besides its truth.
  func ask() async throws
  /// Begins an event.
  func forgetMarks()
}

extension Part {
  var followsTwo: Bool { false }
  var isTwofold: Bool { false }
  func forgetMarks() {}
  func ask() async throws {}

  /// A source shows its truth, at any time.
  func look() async throws {
    let shown = PlainList(await source.current.snapshot).text
    try promise(shown == truth.text, "shows\n  \(shown)\ninstead of\n  \(truth.text)")
    try await ask()
  }
}

/// Rows that are to be shown again, by their souls.
struct Marks: Sendable {
  var reloaded: Set<Int> = []
  var reconfigured: Set<Int> = []
  /// Rows that may be shown again, as something shows them otherwise on the way here.
  var hinted: Set<Int> = []
  /// Rows that may be reloaded once more.
  var again: Set<Int> = []
  /// Rows that a merge has from its other list by now, which need not know of an earlier mark.
  var sides: Set<Int> = []
  /// Sections that are to be shown again, with all that is in them in the end: see ``settled(in:)``.
  var shelves: Set<Shelf> = []
  /// Whether a section was marked, with all that is in it.
  var hasSections = false
  /// Whether the whole list was shown from scratch.
  var isReset = false
  /// Whether rows are to stay in place on the screen, even at the beginning of a list, and the last of them first.
  var isInPlace = false
  /// Whether a source that shows two others was asked otherwise: it follows one of them after the other, and
  /// a row with an old name may not be part of the new answer.
  var isAskedAgain = false
  /// Whether a mirror began again with everything, or shows an edit from before that: it knows rows by names only.
  var isUnknown = false

  func without(_ souls: Set<Int>) -> Marks {
    var marks = self
    marks.reloaded.subtract(souls)
    marks.reconfigured.subtract(souls)
    marks.hinted.subtract(souls)
    marks.again.subtract(souls)
    return marks
  }

  var all: Set<Int> { reloaded.union(reconfigured) }

  /// The same of a list that shows only some rows: another list that shows the others need not show them again.
  func demanding(_ souls: Set<Int>) -> Marks {
    var marks = self
    marks.hinted.formUnion(all.subtracting(souls))
    marks.again.formUnion(reloaded.subtracting(souls))
    marks.reloaded.formIntersection(souls)
    marks.reconfigured.formIntersection(souls)
    return marks
  }

  /// The same, where a marked section has marked what it holds when the change is made.
  func settled(in list: PlainList) -> Marks {
    var marks = self
    for section in list.sections where shelves.contains(section.shelf) {
      marks.reloaded.formUnion(section.rows.map(\.soul))
    }
    marks.shelves = []
    return marks
  }

  mutating func formUnion(_ other: Marks) {
    reloaded.formUnion(other.reloaded)
    reconfigured.formUnion(other.reconfigured)
    hinted.formUnion(other.hinted)
    again.formUnion(other.again)
    sides.formUnion(other.sides)
    shelves.formUnion(other.shelves)
    isReset = isReset || other.isReset
    isInPlace = isInPlace || other.isInPlace
    isAskedAgain = isAskedAgain || other.isAskedAgain
    isUnknown = isUnknown || other.isUnknown
    hasSections = hasSections || other.hasSections
  }
}

/// Sources of every kind, built on each other, and the plain truth about all of them.
@MainActor
final class World {
  let clock = ManualClock()
  let counter = Counter()
  let club = Club()
  private(set) var lists: [BaseList] = []
  private(set) var parts: [any Part] = []
  private(set) var readers: [Reader] = []
  private(set) var hosts: [HostPart] = []

  /// Makes identifiers and souls that nothing else has.
  final class Counter {
    private var last = 0

    func next() -> Int {
      last += 1
      return last
    }
  }

  init(_ spec: Spec) async throws {
    for number in 0..<2 { lists.append(BaseList(self, isMerging: number == 1)) }
    parts = lists
    for list in lists { try await list.begin() }
    for kind in spec.parts {
      func base(_ number: Int) -> any Part { parts[number % parts.count] }
      switch kind {
      case .query(let number, let query): parts.append(DerivedPart(base(number), query, self))
      case .merge(let one, let other, let query):
        parts.append(try await DerivedPart(merging: base(one), base(other), query, self))
      case .join(let one, let other, let query):
        parts.append(try await DerivedPart(joining: base(one), base(other), query, self))
      case .restrict(let one, let other, let keepsShown, let query):
        parts.append(
          try await DerivedPart(restricting: base(one), base(other), keepsShown, query, self))
      case .desk(let number): parts.append(try await Desk(lists[number % 2], self))
      case .member(let isOptimistic):
        parts.append(try Member(club, isOptimistic: isOptimistic, self))
      case .pages(let cap, let start, let isMerging, let limit, let hasPlaceholders):
        parts.append(
          PagedPart(
            cap: cap, from: start, isMerging: isMerging, limit: limit,
            hasPlaceholders: hasPlaceholders, self))
      case .mirror(let number):
        parts.append(Link(base(number)))
      }
    }
    for part in parts { part.follow() }
    for (number, rows) in spec.hosts.enumerated() {
      let profiles: [ListProfile] = [.collectionView, .tableView, .movesApart, .sequential]
      hosts.append(
        HostPart(
          parts[rows % parts.count], profiles[(number + rows) % 4], rows: rows % 2 == 0 ? .max : 5,
          Screen.Kind.allCases[(number + rows / 2) % 4]))
    }
    for host in hosts { try await host.settle() }
    for number in spec.readers { readers.append(Reader(parts[number % parts.count])) }
    for reader in spec.abridged {
      readers.append(
        Reader(
          parts[reader.part % parts.count], abridgedTo: reader.length, world: self,
          reader.query))
    }
  }

  /// Lets something happen, and asks what can be asked at any time.
  func perform(_ event: WorldEvent) async throws {
    guard case .member(let number, .receive(let count)) = event,
      let member = part(number, Member.self)
    else { return try await happens { try await carryOut(event) } }
    try await receive(count, member)
  }

  /// Lets entries of the log arrive at a server.
  ///
  /// Those who follow it may see each revision or only the last, and rows that were gone in between come back
  /// deselected. So every revision that they could see is an event by itself.
  private func receive(_ count: Int, _ member: Member) async throws {
    for step in member.arrivals(of: count) {
      try await happens { try member.perform(.receive(step)) }
    }
  }

  /// What users write: the two lists, and those of pages.
  private var writtenLists: [any WrittenList] { parts.compactMap { $0 as? any WrittenList } }

  private func part<Kind: Part>(_ number: Int, _ kind: Kind.Type) -> Kind? {
    let all = parts.compactMap { $0 as? Kind }
    return all.isEmpty ? nil : all[number % all.count]
  }

  private func happens(_ body: () async throws -> Void) async throws {
    for part in parts { part.forgetMarks() }
    let before = parts.map(\.truth.views)
    try await body()
    for (part, before) in zip(parts, before) {
      part.follow()
      let now = part.truth.views
      part.hint(Set(now.filter { before[$0.key] != $0.value }.keys))
    }
    for reader in readers { reader.note() }
    for index in hosts.indices {
      try await named("host \(index)") {
        try await hosts[index].settle()
        try await hosts[index].report()
      }
    }
  }

  /// Everything on the way arrives, everything is looked at, and everyone reads to the end.
  func lookAtAll() async throws {
    for index in parts.indices {
      guard let desk = parts[index] as? Desk else { continue }
      try await named("part \(index)") { try await finish(desk) }
    }
    try await finishClub()
    for index in parts.indices {
      guard let pages = parts[index] as? PagedPart else { continue }
      try await named("part \(index)") {
        try await pages.finish { event in try await happens { try await pages.perform(event) } }
      }
    }
    for index in parts.indices {
      try await named("part \(index)") { try await parts[index].look() }
    }
    for index in readers.indices {
      try await named("reader \(index)") { try await readers[index].read() }
    }
    for index in hosts.indices {
      try await named("host \(index)") {
        try hosts[index].perform(.resume)
        try await hosts[index].settle()
      }
    }
  }

  /// Everything arrives at a user far away, and what that user has changed at its owner.
  private func finish(_ desk: Desk) async throws {
    var rounds = 0
    while !desk.isDone {
      rounds += 1
      try promise(rounds < 200, "is never done")
      for event in [DeskEvent.arrive(isRefused: false), .answer, .deliver] {
        try await happens { try await desk.perform(event) }
      }
    }
    try desk.judgeEnd()
  }

  /// Everything reaches all servers.
  private func finishClub() async throws {
    let members = parts.compactMap { $0 as? Member }
    var rounds = 0
    while !members.allSatisfy(\.isDone) {
      rounds += 1
      try promise(rounds < 200, "the servers never agree")
      for member in members {
        try await receive(.max, member)
        for event in [MemberEvent.offer, .answer] {
          try await happens { try member.perform(event) }
        }
      }
    }
  }

  private func named(_ name: String, _ body: () async throws -> Void) async throws {
    do { try await body() } catch let failure as Failure { throw Failure("\(name) \(failure)") }
  }

  /// A user drags a row in a list, or in a source that shows it through queries.
  private func drag(_ from: Int, _ to: Int, in part: any Part, _ meanwhile: [Edit]) async throws {
    if let list = part as? any WrittenList {
      try await list.drag(
        from, to, in: list.list, showing: list.truth, PlainQuery(operations: []),
        meanwhile: meanwhile)
      try await list.settle()
    } else if let derived = part as? DerivedPart {
      try await derived.drag(from, to, meanwhile: meanwhile)
    }
  }

  /// Something that users do in a list.
  private func users(
    _ number: Int, _ body: @MainActor (any WrittenList) async throws -> Void
  ) async throws {
    let list = writtenLists[number % writtenLists.count]
    try await body(list)
    try await list.settle()
  }

  private func carryOut(_ event: WorldEvent) async throws {
    switch event {
    case .write(let number, let user, let edits, let presentation):
      try await users(number) {
        try await $0.write(edits, named: user == 0 ? "edit" : nil, presentation)
      }
    case .apply(let number, let left, let reversed, let inserting):
      try await users(number) {
        try await $0.apply(leavingOut: left, reversed: reversed, inserting: inserting)
      }
    case .enqueue(let number, let edits, let first):
      try await users(number) { try await $0.enqueue(edits, first) }
    case .undo(let number, let named):
      try await users(number) { try await $0.reverse(.undo, named ? .named : .everything) }
    case .redo(let number, let named):
      try await users(number) { try await $0.reverse(.redo, named ? .named : .everything) }
    case .revert(let number, let back):
      try await users(number) { try await $0.revert(back: back) }
    case .group(let number, let back): try await users(number) { await $0.group(back: back) }
    case .merge(let number, let back, let user, let edits):
      try await users(number) {
        try await $0.merge(edits, back: back, named: user == 0 ? "edit" : nil)
      }
    case .giveUp(let number, let edits): try await users(number) { try await $0.giveUp(edits) }
    case .author(let number, let user, let event):
      try await users(number) {
        try await $0.perform(event, by: Timeline.authors[user % Timeline.authors.count])
      }
    case .drag(let number, let from, let to, let meanwhile):
      try await drag(from, to, in: parts[number % parts.count], meanwhile)
    case .setQuery(let number, let query): try await part(number, DerivedPart.self)?.setQuery(query)
    case .fold(let number, let at, let isExpanded):
      try await part(number, DerivedPart.self)?.fold(at, isExpanded)
    case .turnClock(let seconds): clock.advance(by: .seconds(seconds))
    case .link(let number, let event): try await part(number, Link.self)?.perform(event)
    case .desk(let number, let event): try await part(number, Desk.self)?.perform(event)
    case .member(let number, let event): try part(number, Member.self)?.perform(event)
    case .pages(let number, let event): try await part(number, PagedPart.self)?.perform(event)
    case .look(let number):
      let index = number % parts.count
      for part in parts { part.follow() }
      try await named("part \(index)") { try await parts[index].look() }
    case .read(let number):
      guard !readers.isEmpty else { return }
      let index = number % readers.count
      try await named("reader \(index)") { try await readers[index].read() }
    case .resubscribe(let number, let limit):
      guard !readers.isEmpty else { return }
      readers[number % readers.count].resubscribe(limit.map { .every(limit: $0) } ?? .coalesced)
    case .host(let number, let event):
      guard !hosts.isEmpty else { return }
      try await named("host \(number % hosts.count)") {
        try hosts[number % hosts.count].perform(event)
      }
    }
  }
}
