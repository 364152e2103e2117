import Diffable
import DiffableQueries
import DiffableSync
import DiffableTesting
import Foundation
import ListSupport
import Testing

/// The kinds of sources by the most that a program can do with them.
///
/// What a kind cannot do, its type does not have: no function here could return it.
enum UndoableKind: String, CaseIterable {
  case identifiers, models, authored, authoredModels, replicated, replicatedModels, editableMirror

  func make(_ world: World) async throws -> any UndoableListSource<String, Int> {
    switch self {
    case .identifiers: try world.identifiers()
    case .models: try await world.models()
    case .authored: try world.identifiers().authored(by: "Ann")
    case .authoredModels: try await world.models().authored(by: "Ann")
    case .replicated: try await world.replicated()
    case .replicatedModels: try await world.replicatedModels()
    case .editableMirror: try await world.editableMirror()
    }
  }
}

enum WritableKind: Hashable, CaseIterable {
  case undoable(UndoableKind), optimistic, optimisticModels

  static let allCases: [Self] =
    UndoableKind.allCases.map(Self.undoable) + [.optimistic, .optimisticModels]

  func make(_ world: World) async throws -> any WritableListSource<String, Int> {
    switch self {
    case .undoable(let kind): try await kind.make(world)
    case .optimistic: try await world.replicated().optimistic()
    case .optimisticModels: try await world.replicatedModels().optimistic()
    }
  }
}

enum ReorderableKind: Hashable, CaseIterable {
  case writable(WritableKind), derived(WritableKind)

  static let allCases: [Self] =
    WritableKind.allCases.map(Self.writable) + WritableKind.allCases.map(Self.derived)

  func make(_ world: World) async throws -> any ReorderableListSource<String, Int> {
    switch self {
    case .writable(let kind): try await kind.make(world)
    case .derived(let kind): Self.derived(try await kind.make(world))
    }
  }

  private static func derived(
    _ source: some WritableListSource<String, Int>
  ) -> any ReorderableListSource<String, Int> {
    source.derived { $0 }
  }
}

enum ListKind: Hashable, CaseIterable {
  case writable(WritableKind), derived, mirror

  static let allCases: [Self] = WritableKind.allCases.map(Self.writable) + [.derived, .mirror]

  func make(_ world: World) async throws -> any ListSource<String, Int> {
    switch self {
    case .writable(let kind): return try await kind.make(world)
    case .derived:
      // A derived source shows the rows that its base shows, and its trees are its own.
      let base = try world.identifiers()
      try await base.expandItem(10)
      return base.derived { $0.outlined(by: { $0 == 11 ? 10 : nil }, isExpanded: false) }
    case .mirror: return try await world.mirror()
    }
  }
}

/// A row that shows its number.
private struct Row: Identifiable, Codable, Hashable { let id: Int }

/// What the sources of a test need as long as they are used: a log, or the owner of a mirrored list.
///
/// All of them begin with a list of three rows, and a tree whose first row is collapsed.
final class World {
  private let list: Snapshot<String, Int>
  private let log = MemoryLog()
  private var owner: DataSourceActor<String, Int>?
  private var pump: Task<Void, any Error>?

  init() throws {
    var list = Snapshot<String, Int>(sections: ["list", "tree"], items: [[1, 2, 3], []])
    let tree = try Outline([10, 11, 12], levels: [0, 1, 0])
    try list.setOutline(tree, forSection: "tree")
    self.list = list
  }

  deinit { pump?.cancel() }

  private var rows: [Row] { [1, 2, 3, 10, 11, 12].map(Row.init) }

  func identifiers() throws -> DataSourceActor<String, Int> { try DataSourceActor(list) }

  func models() async throws -> some EditableListSource<String, Int> {
    let source = ModelSource<String, Row>()
    try await source.apply(list, models: rows)
    return source
  }

  func replicated() async throws -> ReplicatedSource<UpdateBatch<String, Int>> {
    let source = try await ReplicatedSourceTests.replica(log.participant())
    try await source.apply(list)
    return source
  }

  fileprivate func replicatedModels() async throws -> ReplicatedSource<ModelBatch<String, Row>> {
    let source = try await ReplicatedSource<ModelBatch<String, Row>>(
      log.participant(), options: .quick
    ) {
      try Array(JSONEncoder().encode($0))
    } decode: {
      try JSONDecoder().decode(ModelDelta<String, Row>.self, from: Data($0))
    }
    try await source.update { [list, rows] draft in
      draft.snapshot = list
      draft.setModels(rows)
    }
    return source
  }

  /// A mirror that receives what its owner publishes.
  func mirror() async throws -> MirrorSource<UpdateBatch<String, Int>> {
    let owner = try identifiers()
    let mirror = MirrorSource<UpdateBatch<String, Int>>(expansionHandler: { item, isExpanded in
      try await owner.setExpanded(isExpanded, of: item, named: nil)
    })
    self.owner = owner
    pump = Task { for await batch in owner.updates() { try await mirror.apply(batch.delta) } }
    for await batch in mirror.updates() where batch.snapshot == list { break }
    return mirror
  }

  func editableMirror() async throws -> EditableMirror<UpdateBatch<String, Int>> {
    let mirror = try await mirror()
    let owner = owner
    return try await mirror.editable { proposal in
      guard let owner else { return .unknownBase }
      return try await owner.accept(proposal) { _, _ in }
    }
  }

  func expectUnknownModelsRefused() async throws {
    let replica = try await replicatedModels()
    let optimistic = await replica.optimistic()
    let revision = await replica.revision
    let unknown = SnapshotError.unknownItem([AnyItemID(99)])
    let unused = SnapshotError.unusedModel([AnyItemID(99)])
    await #expect(throws: unused) { try await replica.update { $0.setModel(Row(id: 99)) } }
    await #expect(throws: unused) { try await optimistic.update { $0.setModel(Row(id: 99)) } }
    await #expect(throws: DataSourceError.invalidSnapshot(unknown)) {
      try await replica.setModel(Row(id: 99))
    }
    #expect(await replica.revision == revision)
  }
}
