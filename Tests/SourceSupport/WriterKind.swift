package import Diffable
import DiffableSync
import DiffableTesting
import Foundation

/// The kinds of sources that can be changed.
package enum WriterKind: String, CaseIterable, Sendable {
  case identifiers, models, replicated, replicatedModels, optimistic, optimisticModels

  /// Makes a source with a list of numbers.
  package func makeSource(
    _ list: Snapshot<Int, Int>
  ) async throws -> any WritableListSource<Int, Int> {
    switch self {
    case .identifiers: return try DataSourceActor(list)
    case .models:
      let source = ModelSource<Int, NumberModel>()
      try await source.apply(list, models: NumberModel.all(of: list))
      return source
    case .replicated: return try await Self.replica(of: list)
    case .replicatedModels: return try await Self.modelReplica(of: list)
    case .optimistic: return try await Self.replica(of: list).optimistic()
    case .optimisticModels: return try await Self.modelReplica(of: list).optimistic()
    }
  }

  /// On machines where many tests run at once, it takes long until a write goes on.
  private static var patient: ReplicationOptions {
    var options = ReplicationOptions()
    options.timeLimit = .seconds(3_600)
    return options
  }

  private static func replica(
    of list: Snapshot<Int, Int>
  ) async throws -> ReplicatedSource<UpdateBatch<Int, Int>> {
    let source = try await ReplicatedSource<UpdateBatch<Int, Int>>(
      MemoryLog().participant(), options: patient
    ) {
      try Array(JSONEncoder().encode($0))
    } decode: {
      try JSONDecoder().decode(UpdateDelta<Int, Int>.self, from: Data($0))
    }
    try await source.apply(list)
    return source
  }

  private static func modelReplica(
    of list: Snapshot<Int, Int>
  ) async throws -> ReplicatedSource<ModelBatch<Int, NumberModel>> {
    let source = try await ReplicatedSource<ModelBatch<Int, NumberModel>>(
      MemoryLog().participant(), options: patient
    ) {
      try Array(JSONEncoder().encode($0))
    } decode: {
      try JSONDecoder().decode(ModelDelta<Int, NumberModel>.self, from: Data($0))
    }
    try await source.update { draft in
      draft.snapshot = list
      draft.setModels(NumberModel.all(of: list))
    }
    return source
  }
}

extension WritableListSource<Int, Int> {
  /// Waits until a log has decided on all changes that are shown; returns the revision then.
  package func decided() async throws -> Revision {
    if let list = self as? OptimisticSource<UpdateBatch<Int, Int>> {
      _ = await (try await list.update { _ in }).outcome
    } else if let list = self as? OptimisticSource<ModelBatch<Int, NumberModel>> {
      _ = await (try await list.update { _ in }).outcome
    }
    return try await updateOrder { _ in }.revision
  }
}

/// A row that shows its number.
package struct NumberModel: Identifiable, Codable, Hashable, Sendable {
  package let id: Int

  static func all(of list: Snapshot<Int, Int>) -> [NumberModel] {
    let hidden = list.sectionIdentifiers.flatMap { list.outline(ofSection: $0)?.items ?? [] }
    return Set(list.itemIdentifiers + hidden).map(NumberModel.init)
  }
}
