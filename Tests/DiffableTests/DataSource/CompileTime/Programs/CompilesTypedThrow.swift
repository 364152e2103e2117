// compiles
import Diffable

/// A caller may rely on the type of what is thrown.
private func show(_ source: DataSourceActor<String, Int>) async -> String {
  do {
    return try await source.apply(Snapshot()).revision.description
  } catch {
    let reason: DataSourceError = error
    return reason.description
  }
}
