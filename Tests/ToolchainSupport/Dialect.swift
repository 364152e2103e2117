/// Settings of a module that change what its code means.
package struct Dialect: Sendable, CustomStringConvertible {
  /// Whether declarations without an isolation belong to the main actor, as in new Xcode projects.
  package let isolatesToMainActor: Bool
  /// Whether the features of “approachable concurrency” are on.
  package let isApproachable: Bool

  /// The four dialects in which apps are written.
  package static let all = [false, true].flatMap { isolatesToMainActor in
    [false, true].map {
      Dialect(isolatesToMainActor: isolatesToMainActor, isApproachable: $0)
    }
  }

  package var description: String {
    let isolation = isolatesToMainActor ? "main actor" : "nonisolated"
    return isApproachable ? "\(isolation), approachable concurrency" : isolation
  }

  /// What the compiler is told.
  var arguments: [String] {
    (isolatesToMainActor ? ["-default-isolation", "MainActor"] : [])
      + (isApproachable
        ? ["NonisolatedNonsendingByDefault", "InferIsolatedConformances"].flatMap {
          ["-enable-upcoming-feature", $0]
        } : [])
  }
}
