import DiffableTesting

@testable import Diffable
@testable import DiffableQueries
@testable import DiffableSync

/// A mirror of a source.
struct MirrorSubject: PairSubject {
  let source = MirrorSource<UpdateBatch<Int, Int>>()
  let base: DataSourceActor<Int, Int>

  static func make() async throws -> Self {
    let subject = Self(base: try DataSourceActor<Int, Int>(.start()))
    _ = try await subject.perform(.deliver, 0)
    return subject
  }

  static var calls: [PairCall] { [.insert, .fold, .deliver, .read, .subscribe, .settle, .finish] }

  /// A batch can be several writes of the base.
  static var explainsRevisions: Bool { false }

  func perform(_ call: PairCall, _ item: Int) async throws -> PairEffect {
    switch call {
    case .insert:
      try await base.update { try $0.appendItems([item], toSection: 0) }
      return .kept(item)
    case .fold:
      try await base.update { $0.fold() }
      return .nothing
    case .deliver:
      let token = await source.resumeToken
      guard await token != base.token(for: base.revision) else { return .nothing }
      for await batch in base.updates(after: token) {
        // Another delivery may have been faster.
        do {
          return .perhaps(try await source.apply(batch.delta))
        } catch DeltaError.wrongBase {
        } catch DeltaError.finished {
          throw DataSourceError.finished
        }
        break
      }
      return .nothing
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
    do {
      while await source.resumeToken != base.token(for: base.revision) {
        _ = try await perform(.deliver, 0)
      }
      await source.finish()
      return await base.snapshot
    } catch DataSourceError.finished {
      return await source.snapshot
    }
  }
}

/// A source that is derived from another one.
struct DerivedSubject: PairSubject {
  typealias Batch = UpdateBatch<Int, Int>

  let source: DerivedSource<Batch, Batch>
  let base: DataSourceActor<Int, Int>

  static func make() async throws -> Self {
    let base = try DataSourceActor<Int, Int>(.start())
    return Self(source: base.derived { $0.filter { $0 != 6 } }, base: base)
  }

  static var calls: [PairCall] {
    [.insert, .undo, .setQuery, .setBase, .fold, .read, .subscribe, .settle, .finish]
  }

  /// Revisions are made when a subscriber requests a batch.
  static var explainsRevisions: Bool { false }

  func perform(_ call: PairCall, _ item: Int) async throws -> PairEffect {
    switch call {
    case .insert:
      try await base.update(named: "\(item)") { try $0.appendItems([item], toSection: 0) }
      return .nothing
    case .undo:
      try await base.undo(.named)
      return .nothing
    case .setQuery:
      let left = item % 3
      try await source.setQuery { $0.filter { $0 == 6 || $0 % 3 != left } }
      return .nothing
    case .setBase:
      try await source.setBase(base)
      return .nothing
    case .fold:
      try await source.setExpanded(item.isMultiple(of: 2), of: 100, named: nil)
      return .nothing
    case .read:
      _ = await source.snapshot
      return .nothing
    case .finish:
      await source.finish()
      return .nothing
    default: return await performCommon(call)
    }
  }

  func finish() async throws -> PairList {
    let last = await source.snapshot
    // The last state reaches those who follow before the end does.
    await source.delivered(source.revision)
    await source.finish()
    return last
  }
}
