// error: actor-isolated instance method 'update(named:presentation:_:)' cannot be called from outside of the actor
// error: actor-isolated property 'snapshot' cannot be accessed from outside of the actor
import Diffable

private func edit(_ source: DataSourceActor<String, Int>) async throws {
  try source.update { $0.appendSections(["Inbox"]) }
  print(source.snapshot)
}
