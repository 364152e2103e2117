// error: cannot assign to property: 'snapshot' is a get-only property
import Diffable

extension DataSourceActor {
  func replace() {
    snapshot = Snapshot()
  }
}
