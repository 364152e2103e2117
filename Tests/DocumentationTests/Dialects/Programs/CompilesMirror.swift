// compiles
import Diffable
import DiffableSync
import Foundation

nonisolated struct Train: Identifiable, Codable, Equatable {
  let id: Int
  var destination: String
}

final class Departures {
  let mirror = MirrorSource<ModelBatch<String, Train>>(
    expansionHandler: { train, isExpanded in print(train, isExpanded) })
  var destinations: [String] = []

  func receive(_ line: String) async throws {
    try await mirror.apply(line.utf8) {
      try JSONDecoder().decode(ModelDelta<String, Train>.self, from: Data($0))
    }
  }

  func follow(_ source: ModelSource<String, Train>) async throws {
    try await mirror.follow { token in
      source.events(after: token) { try Array(JSONEncoder().encode($0)) }
    } decode: {
      try JSONDecoder().decode(ModelDelta.self, from: Data($0))
    }
  }

  func show() async {
    for await batch in mirror.updates() {
      destinations = batch.snapshot.itemIdentifiers.compactMap {
        batch.model(for: $0)?.destination
      }
    }
  }
}
