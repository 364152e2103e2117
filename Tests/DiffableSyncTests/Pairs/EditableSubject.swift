import DiffableTesting

@testable import Diffable

/// An editable source, whatever it edits.
protocol PairWriting: EditableListSource<Int, Int> {
  static func make(_ start: PairList) throws -> Self
  func insert(_ item: Int, named name: String?) throws -> Revision
  func replace(
    with list: PairList, adding item: Int, ifRevision expected: Revision?
  ) throws(DataSourceError) -> Revision
  nonisolated func enqueue(_ list: PairList, adding item: Int) -> Ticket
  func merge(
    _ list: PairList, adding item: Int, basedOn base: Revision
  ) throws(DataSourceError) -> Transaction<Int, Int>
  /// Sets the model of an item that is always there, if there are models.
  func change(_ item: Int) throws -> Revision
}

struct EditableSubject<Source: PairWriting>: PairSubject {
  let source: Source

  static func make() async throws -> Self {
    let source = try Source.make(.start())
    // More than all calls together undo.
    for item in 10..<22 { _ = try await source.insert(item, named: "\(item)") }
    try await source.undo()
    return Self(source: source)
  }

  static var calls: [PairCall] {
    [
      .insert, .insertNamed, .apply, .applyIfRevision, .enqueue, .merge, .undo, .redo, .setModel,
      .fold, .drag, .read, .subscribe, .settle, .finish,
    ]
  }

  func perform(_ call: PairCall, _ item: Int) async throws -> PairEffect {
    switch call {
    case .insert, .insertNamed:
      let name = call == .insertNamed ? "\(item)" : nil
      return .inserted(item, try await source.insert(item, named: name))
    case .apply, .applyIfRevision:
      let (list, revision) = await source.current
      await Task.yield()
      do {
        let reached = try await source.replace(
          with: list, adding: item, ifRevision: call == .apply ? nil : revision)
        return .replaced(try list.adding(item), reached)
      } catch DataSourceError.conflict {
        return .nothing
      }
    case .enqueue:
      let list = await source.snapshot
      let ticket = source.enqueue(list, adding: item)
      guard case .applied(let revision) = await ticket.outcome else { return .nothing }
      return .replaced(try list.adding(item), revision)
    case .merge:
      let (list, base) = await source.current
      await Task.yield()
      let merged = try await source.merge(list, adding: item, basedOn: base)
      return .inserted(item, merged.target)
    case .undo:
      return .reverted(try await source.undo(item.isMultiple(of: 2) ? .named : .everything))
    case .redo:
      return .reverted(try await source.redo(item.isMultiple(of: 2) ? .named : .everything))
    case .setModel: return .perhaps(try await source.change(item))
    case .fold: return .perhaps(try await source.updateOrder { $0.fold() }.revision)
    case .drag:
      guard var drag = try await source.beginReorder([1]) else { return .nothing }
      _ = try drag.proposed(to: .after(3))
      await Task.yield()
      guard let moved = try await drag.commit() else { return .nothing }
      return .perhaps(moved.target)
    case .read:
      let (list, revision) = await source.current
      return .read(list, revision)
    case .finish:
      await source.finish()
      return .nothing
    default: return await performCommon(call)
    }
  }

  func finish() async throws -> PairList {
    await source.finish()
    return await source.snapshot
  }
}

extension DataSourceActor<Int, Int>: PairWriting {
  static func make(_ start: PairList) throws -> Self { try Self(start) }

  func insert(_ item: Int, named name: String?) throws -> Revision {
    try update(named: name) { try $0.appendItems([item], toSection: 0) }.revision
  }

  func replace(
    with list: PairList, adding item: Int, ifRevision expected: Revision?
  ) throws(DataSourceError) -> Revision {
    guard let list = try? list.adding(item) else { throw .finished }
    return try apply(list, ifRevision: expected).revision
  }

  nonisolated func enqueue(_ list: PairList, adding item: Int) -> Ticket {
    enqueue((try? list.adding(item)) ?? list)
  }

  func merge(
    _ list: PairList, adding item: Int, basedOn base: Revision
  ) throws(DataSourceError) -> Transaction<Int, Int> {
    try merge((try? list.adding(item)) ?? list, basedOn: base)
  }

  func change(_ item: Int) throws -> Revision {
    try update { try $0.reconfigureItems([1]) }.revision
  }
}

/// A row of a list of models.
struct PairRow: Identifiable, Equatable, Sendable {
  let id: Int
  var value = 0
}

extension PairList {
  /// A model for each item, hidden ones included.
  fileprivate var rows: [PairRow] {
    Set(itemIdentifiers + (outline(ofSection: 1)?.items ?? [])).map { PairRow(id: $0) }
  }
}

extension ModelSource<Int, PairRow>: PairWriting {
  static func make(_ start: PairList) throws -> Self {
    let source = Self()
    source.enqueue(start, models: start.rows)
    return source
  }

  func insert(_ item: Int, named name: String?) throws -> Revision {
    try update(named: name) { try $0.appendItems([PairRow(id: item)], toSection: 0) }.revision
  }

  func replace(
    with list: PairList, adding item: Int, ifRevision expected: Revision?
  ) throws(DataSourceError) -> Revision {
    guard let list = try? list.adding(item) else { throw .finished }
    return try apply(list, models: list.rows, ifRevision: expected).revision
  }

  nonisolated func enqueue(_ list: PairList, adding item: Int) -> Ticket {
    let list = (try? list.adding(item)) ?? list
    return enqueue(list, models: list.rows)
  }

  func merge(
    _ list: PairList, adding item: Int, basedOn base: Revision
  ) throws(DataSourceError) -> Transaction<Int, Int> {
    try merge(
      (try? list.adding(item)) ?? list, models: [PairRow(id: item)], basedOn: base)
  }

  func change(_ item: Int) throws -> Revision { try setModel(PairRow(id: 1, value: item)).revision }
}
