// error: type 'Item' does not conform to the 'Sendable' protocol
import Diffable

private final class Item: Hashable {
  var title = ""
  static func == (left: Item, right: Item) -> Bool { left === right }
  func hash(into hasher: inout Hasher) {}
}

private func make() throws -> DataSourceActor<String, Item> {
  DataSourceActor<String, Item>()
}
