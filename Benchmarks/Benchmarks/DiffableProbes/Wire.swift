import Diffable
import DiffableSync
import Foundation

/// The bytes of a delta of one changed row among ten thousand, beyond those of the model itself.
func probeWire() async throws {
  let count = 10_000
  let source = ModelSource<Int, Model>()
  let models = [Model](ids: [UUID].seeded(count, seed: 83))
  try await source.apply(models) { _ in 0 }
  var batches = source.updates().makeAsyncIterator()
  _ = await batches.next()
  var sizes: [Double] = []
  for row in stride(from: 0, to: count, by: 500) {
    var model = models[row]
    model.count += 1
    try await source.setModel(model)
    guard let batch = await batches.next() else { throw WrongResult(expectation: "a batch") }
    let encoder = JSONEncoder()
    sizes.append(Double(try encoder.encode(batch.delta).count - encoder.encode(model).count))
  }
  try Figure(name: "wire/bytes/\(count)/ours", unit: .bytes, values: sizes).print()
  try await probeProposals(source, models)
}

/// The bytes of a proposal of one changed row, beyond those of the model itself.
private func probeProposals(_ source: ModelSource<Int, Model>, _ models: [Model]) async throws {
  let mirror = MirrorSource<ModelBatch<Int, Model>>()
  for await batch in source.updates() {
    try await mirror.apply(batch.delta)
    break
  }
  let (sent, sizes) = AsyncStream.makeStream(of: Double.self)
  let list = try await mirror.editable { proposal in
    let encoder = JSONEncoder()
    let model = try encoder.encode(models[0])
    sizes.yield(Double(try encoder.encode(proposal).count - model.count))
    return .refused(Refusal(code: "measured", reason: "It was measured."))
  }
  try await list.update { draft in
    var model = models[0]
    model.title += "!"
    model.title.removeFirst()
    draft.setModel(model)
  }
  for await size in sent {
    try Figure(name: "wire/proposal-bytes/\(models.count)/ours", unit: .bytes, values: [size])
      .print()
    break
  }
}
