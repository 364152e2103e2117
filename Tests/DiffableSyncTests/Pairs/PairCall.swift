import DiffableTesting
import ListSupport
import Testing

@testable import Diffable

typealias PairList = Snapshot<Int, Int>

/// What tasks do to one source at the same time.
enum PairCall: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case insert, insertNamed, apply, applyIfRevision, enqueue, merge, undo, redo, setModel, fold, drag
  case insertOptimistically, insertElsewhere, deliver, setQuery, setBase
  case read, subscribe, settle, finish

  var testDescription: String { rawValue }
}

/// What a call is known to have done.
enum PairEffect: Sendable {
  /// A revision that is the state before it and one more item.
  case inserted(Int, Revision)
  /// A revision that is this state, and new.
  case replaced(PairList, Revision)
  /// A change that reverts another one; `nil` if there was none to revert.
  case reverted(Transaction<Int, Int>?)
  /// A revision that this call has made, or another one.
  case perhaps(Revision)
  /// A state that was read, and its revision.
  case read(PairList, Revision)
  /// An item that the list has at the end.
  case kept(Int)
  case nothing
}

/// A source, and what can be done to it.
protocol PairSubject: Sendable {
  associatedtype Source: ListSource<Int, Int>

  static func make() async throws -> Self
  static var calls: [PairCall] { get }
  /// Whether each revision is that of a call.
  static var explainsRevisions: Bool { get }

  var source: Source { get }
  func perform(_ call: PairCall, _ item: Int) async throws -> PairEffect
  /// Waits for what is still under way, and finishes the source.
  ///
  /// - Returns: The last state.
  func finish() async throws -> PairList
}

extension PairSubject {
  static var explainsRevisions: Bool { true }

  /// The calls that every source has.
  func performCommon(_ call: PairCall) async -> PairEffect {
    switch call {
    case .subscribe:
      // A subscriber that takes one batch, one that takes none, and one that is cancelled.
      for await _ in source.updates() { break }
      _ = source.updates(.every(limit: 2))
      let waiting = Task { [source] in for await _ in source.updates() {} }
      await Task.yield()
      waiting.cancel()
      await waiting.value
    case .settle: await source.delivered(source.reader.revision)
    default: preconditionFailure("\(Self.self) has no \(call)")
    }
    return .nothing
  }
}

extension PairList {
  /// Two sections: numbers, and a tree.
  static func start() throws -> PairList {
    var list = PairList(sections: [0, 1], items: [Array(1...6), []])
    let outline = try Outline(Array(100...103), levels: [0, 1, 1, 0])
    try list.setOutline(outline, forSection: 1)
    return list
  }

  /// The same with one more item.
  func adding(_ item: Int) throws -> PairList {
    var list = self
    try list.appendItems([item], toSection: 0)
    return list
  }

  mutating func fold() {
    let isExpanded = outline(ofSection: 1)?.isExpanded(100) ?? false
    if isExpanded { collapseItems([100]) } else { expandItems([100]) }
  }
}

extension RevisionReader { var revision: Revision { hub.revision } }
