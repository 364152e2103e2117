// error: 'live' is inaccessible due to 'internal' protection level
import Diffable

extension DataSourceActor {
  func peek() {
    _ = core.live
  }
}
