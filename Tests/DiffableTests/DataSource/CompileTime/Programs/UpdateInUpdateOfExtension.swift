// error: call to actor-isolated instance method 'update(named:presentation:_:)' in a synchronous nonisolated context
import Diffable

extension DataSourceActor {
  func editTwice() throws {
    try update { _ in
      try self.update { _ in }
    }
  }
}
