package import Testing

/// Expects that the number of visits of tree nodes hardly depends on the size of a list.
///
/// A list forty times as long has trees that are one or two nodes higher.
package func expectSameVisits(
  _ name: String, sizes: [Int] = [1_000, 40_000],
  sourceLocation: SourceLocation = #_sourceLocation,
  _ count: (_ size: Int) async throws -> Int
) async throws {
  let small = try await count(sizes[0]), large = try await count(sizes[1])
  #expect(small > 0, "\(name) visits nothing", sourceLocation: sourceLocation)
  #expect(
    large <= 2 * small, "\(name): \(small) visits, and \(large)", sourceLocation: sourceLocation)
}
