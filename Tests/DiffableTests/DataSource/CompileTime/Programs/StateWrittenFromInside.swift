// error: cannot assign to property: 'snapshot' setter is inaccessible
import Diffable

extension DataSourceActor {
  func replace() {
    snapshot = Snapshot()
  }
}
