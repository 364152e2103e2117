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
}
