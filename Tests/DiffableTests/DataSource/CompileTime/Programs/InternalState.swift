// error: 'core' is inaccessible due to 'package' protection level
import Diffable

extension DataSourceActor {
  func peek() {
    _ = core.live
  }
}
