import DiffableTesting
import Foundation

@testable import Diffable
@testable import DiffableSync

typealias PairReplica = ReplicatedSource<UpdateBatch<Int, Int>>

/// Two participants of one list; one of them is called.
struct ReplicatedSubject: PairSubject {
  let source: PairReplica
  let other: PairReplica

  static func make() async throws -> Self {
    let log = MemoryLog()
    func participant() async throws -> PairReplica {
      try await PairReplica(log.participant(), options: .quick) {
        try Array(JSONEncoder().encode($0))
      } decode: {
        try JSONDecoder().decode(UpdateDelta<Int, Int>.self, from: Data($0))
      }
    }
    let source = try await participant()
    try await source.apply(.start())
    for item in 10..<14 { _ = try await source.insert(item, named: "\(item)") }
    try await source.undo()
    let other = try await participant()
    try await other.reached(source.revision)
    return Self(source: source, other: other)
  }

  static var calls: [PairCall] {
    [
      .insert, .insertNamed, .apply, .applyIfRevision, .merge, .undo, .redo, .fold,
      .insertElsewhere, .read, .subscribe, .settle, .finish,
    ]
  }

  func perform(_ call: PairCall, _ item: Int) async throws -> PairEffect {
    switch call {
    case .insert, .insertNamed:
      let name = call == .insertNamed ? "\(item)" : nil
      return .inserted(item, try await source.insert(item, named: name))
    case .insertElsewhere: return .inserted(item, try await other.insert(item, named: nil))
    case .apply, .applyIfRevision:
      let (list, revision) = await source.current
      let new = try list.adding(item)
      do {
        return .replaced(
          new, try await source.apply(new, ifRevision: call == .apply ? nil : revision).revision)
      } catch DataSourceError.conflict {
        return .nothing
      }
    case .merge:
      let (list, base) = await source.current
      let merged = try await source.merge(list.adding(item), basedOn: base)
      return .inserted(item, merged.target)
    case .undo: return .reverted(try await source.undo())
    case .redo: return .reverted(try await source.redo())
    case .fold: return .perhaps(try await source.update { $0.fold() }.revision)
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
    // What the other one has written arrives, unless this one has finished.
    try? await source.reached(other.revision)
    await source.finish()
    await other.finish()
    return await source.snapshot
  }
}

/// A list that shows changes before the log has accepted them.
struct OptimisticSubject: PairSubject {
  let source: OptimisticSource<UpdateBatch<Int, Int>>
  let replicated: ReplicatedSubject

  static func make() async throws -> Self {
    let replicated = try await ReplicatedSubject.make()
    return Self(source: await replicated.source.optimistic(), replicated: replicated)
  }

  static var calls: [PairCall] {
    [
      .insertOptimistically, .insert, .insertNamed, .merge, .undo, .redo, .fold, .insertElsewhere,
      .subscribe, .settle, .finish,
    ]
  }

  /// It has revisions of its own, and one for each step of a change.
  static var explainsRevisions: Bool { false }

  func perform(_ call: PairCall, _ item: Int) async throws -> PairEffect {
    switch call {
    case .insertOptimistically:
      let write = try await source.update { try $0.appendItems([item], toSection: 0) }
      switch await write.outcome {
      case .accepted: return .kept(item)
      case .failed(let error): throw error
      }
    case .subscribe, .settle: return await performCommon(call)
    default:
      // Only what has a name is undone. The revisions are those of another source.
      let effect = try await replicated.perform(call, item)
      if case .inserted(let item, _) = effect, call != .insertNamed { return .kept(item) }
      return .nothing
    }
  }

  func finish() async throws -> PairList {
    _ = try await replicated.finish()
    // A change that was pending at the end is still shown.
    return await source.snapshot
  }
}

extension ReplicatedSource where Batch == UpdateBatch<Int, Int> {
  fileprivate func insert(_ item: Int, named name: String?) async throws -> Revision {
    try await update(named: name) { try $0.appendItems([item], toSection: 0) }.revision
  }
}
