import Diffable
import DiffableTesting
import DiffableViews

/// Everything that can happen.
///
/// Numbers of lists, parts and rows are taken modulo what there is; the lists of pages come after the others.
enum WorldEvent: Hashable, Sendable {
  // Writing.
  case write(list: Int, user: Int, [Edit], Presentation = .animated)
  /// Another list: every so many rows are left out, the rest is turned round, new ones come.
  case apply(list: Int, leavingOut: Int, reversed: Bool, inserting: Int)
  /// Lists that supersede each other, and the presentation of the first.
  case enqueue(list: Int, [[Edit]], first: Presentation)
  case undo(list: Int, named: Bool)
  case redo(list: Int, named: Bool)
  /// Takes back the change so many revisions ago.
  case revert(list: Int, back: Int)
  /// Makes one step of undo of so many changes.
  case group(list: Int, back: Int)
  /// One of several users who have an undo of their own in the same list.
  case author(list: Int, Int, AuthorEvent)
  /// A copy that is so many revisions old comes back with edits, which are named for user 0.
  case merge(list: Int, back: Int, user: Int, [Edit])
  /// A task writes that was cancelled.
  case giveUp(list: Int, [Edit])
  /// A drag by the user in some source, while another user writes.
  case drag(in: Int, from: Int, to: Int, meanwhile: [Edit])

  // Sources that show others.
  case setQuery(of: Int, PlainQuery)
  case fold(in: Int, at: Int, isExpanded: Bool)
  case turnClock(seconds: Int)
  case link(Int, LinkEvent)
  case desk(Int, DeskEvent)
  case member(Int, MemberEvent)
  case pages(Int, PageEvent)

  // Reading.
  /// Asks a source for its state.
  case look(at: Int)
  case read(Int)
  case resubscribe(Int, every: Int?)
  case host(Int, HostEvent)
}

/// What a user does who takes back only what that user has made.
enum AuthorEvent: Hashable, Sendable {
  case edit([Edit])
  case undo
  case redo
  /// Makes one step of so many changes, as far as they are the user's.
  case group(back: Int)

  static func random(_ random: inout SplitMix64) -> AuthorEvent {
    switch random.number(below: 8) {
    case 0...3: .edit((0..<1 + random.number(below: 2)).map { _ in .random(&random) })
    case 4, 5: .undo
    case 6: .redo
    default: .group(back: 2 + random.number(below: 4))
    }
  }
}

/// What happens between an owner and a mirror.
enum LinkEvent: Hashable, Sendable {
  /// The next delta arrives.
  case deliver
  /// The next delta is lost, and the stream begins again from what the mirror has.
  case lose
  /// A delta comes once more.
  case repeatLast
  /// The stream begins again with everything.
  case reset
  /// The server of the mirror begins another life, with what the owner has.
  case restart
}

/// What happens between a user far away and the owner of the list.
enum DeskEvent: Hashable, Sendable {
  case edit([Edit])
  case undo
  case redo
  /// What was proposed arrives at the owner.
  case arrive(isRefused: Bool)
  /// The answer comes back.
  case answer
  /// The proposal is lost, or its answer.
  case lose
  /// What others have written arrives.
  case deliver
  /// The stream begins again with everything.
  case cut
  /// A delta comes once more.
  case repeatLast

  static func random(_ random: inout SplitMix64) -> DeskEvent {
    switch random.number(below: 16) {
    case 0...4: .edit((0..<1 + random.number(below: 2)).map { _ in .random(&random) })
    case 5...7: .arrive(isRefused: random.chance(oneIn: 4))
    case 8, 9: .answer
    case 10: .lose
    case 11: .undo
    case 12: .redo
    case 13: random.chance(oneIn: 2) ? .cut : .repeatLast
    default: .deliver
    }
  }
}

/// What happens to a server that shares a list with others.
enum MemberEvent: Hashable, Sendable {
  case edit([Edit])
  case undo
  case redo
  /// The undo or redo that waits for its turn is no longer wanted.
  case cancel
  /// The next write arrives at the log.
  case offer
  /// The log's answer comes.
  case answer
  /// Entries of the log arrive.
  case receive(Int)

  static func random(_ random: inout SplitMix64) -> MemberEvent {
    switch random.number(below: 16) {
    case 0...3: .edit((0..<1 + random.number(below: 2)).map { _ in .random(&random) })
    case 4...7: .offer
    case 8, 9: .answer
    case 10: .undo
    case 11: random.chance(oneIn: 2) ? .redo : .cancel
    default: .receive(1 + random.number(below: 3))
    }
  }
}

/// What happens to a list that is loaded page by page.
enum PageEvent: Hashable, Sendable {
  /// The page beyond an end is wanted, or the first one.
  case load(atStart: Bool)
  /// A view says that it shows some rows, or none.
  case show(at: Int, count: Int)
  /// Everything that is loaded is wanted once more.
  case refresh
  /// The backend answers the oldest question: rows are in another order, on two pages, twice on one or missing, or
  /// the counts are wrong.
  case answer(lie: Int)
  case fail
  case cancel
  case retry
  /// Somebody waits for a page as ``load(atStart:)`` does, and gives up; the page comes nevertheless.
  case giveUp(atStart: Bool)
  /// An answer comes that nobody waits for any more.
  case late
  /// The backend has other rows by now.
  case change(Int)

  static func random(_ random: inout SplitMix64) -> PageEvent {
    switch random.number(below: 20) {
    case 0...2: .show(at: random.number(below: 16), count: random.number(below: 4))
    case 3...6: .load(atStart: random.chance(oneIn: 2))
    case 7...10: .answer(lie: 0)
    case 11...13: .answer(lie: 1 + random.number(below: 6))
    case 14: random.element(of: [.cancel, .fail, .fail, .retry]) ?? .fail
    case 15: .refresh
    case 16: random.chance(oneIn: 2) ? .late : .giveUp(atStart: random.chance(oneIn: 2))
    default: .change(random.number(below: 72))
    }
  }
}

/// What a user or the program does to a list view.
enum HostEvent: Hashable, Sendable {
  case tap(Int)
  /// The program extends the range of selected rows.
  case extend(to: Int)
  /// The user does, with the Shift key.
  case shift(from: Int, to: Int)
  case select(at: Int, count: Int)
  case deselect(Int)
  case scroll(to: Int)
  /// The user scrolls a view whose rows measure themselves.
  case roll(by: Int)
  /// The user pulls its content beyond an end, and holds it there.
  case pull(by: Int)
  /// The program shows a row there.
  case reveal(Int, ListScrollPosition)
  /// The view whose rows measure themselves gets another size.
  case resize(length: Int, width: Int)
  /// The view follows its source no longer.
  case pause
  /// It follows it again, from what it shows.
  case resume

  static func random(_ random: inout SplitMix64) -> HostEvent {
    let (at, other) = (random.number(below: 16), random.number(below: 16))
    return switch random.number(below: 20) {
    case 19: .pull(by: random.chance(oneIn: 2) ? -1 - other : 1 + other)
    case 17, 18: .resize(length: 2 + random.number(below: 16), width: 1 + random.number(below: 3))
    case 15: random.chance(oneIn: 3) ? .pause : .resume
    case 16: .resume
    case 10, 11, 12: .roll(by: random.chance(oneIn: 2) ? at - 6 : 3 * at - other)
    case 13, 14: .reveal(at, random.element(of: ListScrollPosition.allCases) ?? .nearest)
    case 0, 1: .tap(at)
    case 2, 3, 4: .extend(to: at)
    case 5: .shift(from: other, to: at)
    case 6, 7: .select(at: at, count: 1 + other % 3)
    case 8: .deselect(at)
    // Beyond the ends, too.
    default: .scroll(to: 2 * at - 6)
    }
  }
}

extension WorldEvent {
  /// What kind of event it is, for counting.
  var kind: String {
    let words = "\(self)".split(separator: "(", omittingEmptySubsequences: true)
    return String(words[0])
  }

  /// As Swift.
  var code: String {
    "." + Self.shortened("\(self)")
  }

  static func random(_ random: inout SplitMix64, _ spec: Spec) -> WorldEvent {
    func edits(_ most: Int) -> [Edit] {
      (0..<1 + random.number(below: most)).map { _ in .random(&random) }
    }
    let list = random.number(below: spec.listCount), part = random.number(below: 8)
    return switch random.number(below: 98) {
    case 93...96:
      .merge(
        list: list, back: random.number(below: 6), user: random.number(below: 2), edits(3))
    case 97: .giveUp(list: list, edits(2))
    case 87...92: .author(list: list, random.number(below: 2), .random(&random))
    case 0...11:
      .write(
        list: list, user: random.number(below: 2), edits(3),
        random.element(of: [.animated, .animated, .animated, .immediate, .inPlace, .reset])
          ?? .animated)
    case 12:
      .apply(
        list: list, leavingOut: 2 + random.number(below: 6), reversed: random.chance(oneIn: 2),
        inserting: random.number(below: 3))
    case 13:
      .enqueue(
        list: list, (0..<3).map { _ in edits(2) },
        first: random.chance(oneIn: 2) ? .reset : .animated)
    case 14, 15: .undo(list: list, named: random.chance(oneIn: 2))
    case 16: .redo(list: list, named: random.chance(oneIn: 2))
    case 17: .revert(list: list, back: random.number(below: 4))
    case 18: .group(list: list, back: 2 + random.number(below: 3))
    case 19:
      .drag(
        in: part, from: random.number(below: 24), to: random.number(below: 24),
        meanwhile: random.chance(oneIn: 2) ? [] : edits(2))
    case 20: .setQuery(of: part, .random(&random))
    case 21: .fold(in: part, at: random.number(below: 24), isExpanded: random.chance(oneIn: 2))
    case 22: .turnClock(seconds: random.number(below: 5))
    case 23...26:
      .link(
        part,
        random.element(of: [
          .deliver, .deliver, .deliver, .deliver, .deliver, .deliver, .lose, .repeatLast, .reset,
          .restart,
        ]) ?? .deliver)
    case 27...30: .look(at: part)
    case 31...37: .read(part)
    case 38...46: .host(part, .random(&random))
    case 47...58: .desk(part, .random(&random))
    case 59...72: .member(part, .random(&random))
    case 75...86: .pages(part, .random(&random))
    default: .resubscribe(part, every: random.chance(oneIn: 2) ? nil : 1 + random.number(below: 3))
    }
  }
}

extension WorldEvent {
  static func code(of kind: Spec.Kind) -> String { "." + shortened("\(kind)") }

  static func shortened(_ text: String) -> String {
    var text = text
    for name in [
      "Edit", "LinkEvent", "DeskEvent", "MemberEvent", "PageEvent", "HostEvent", "AuthorEvent",
      "PlainQuery.Operation", "PlainQuery.Field", "PlainQuery.Measure",
    ] {
      text = text.replacing("WorldTests.\(name).", with: ".")
    }
    for module in [
      "WorldTests.", "DiffableEngine.Presentation", "DiffableViews.ListScrollPosition",
    ] {
      text = text.replacing(module, with: "")
    }
    return text
  }
}
