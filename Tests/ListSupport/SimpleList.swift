package import Diffable

package typealias Source = DataSourceActor<String, Int>
package typealias List = Snapshot<String, Int>

extension Snapshot where SectionID == String, ItemID == Int {
  /// One section with some items.
  package static func list(
    _ items: some Sequence<Int> & SendableMetatype, reload: [Int] = [], reconfigure: [Int] = []
  ) throws -> List {
    var snapshot = List()
    snapshot.appendSections(["list"])
    try snapshot.appendItems(items)
    try snapshot.reloadItems(reload)
    try snapshot.reconfigureItems(reconfigure)
    return snapshot
  }

  /// Items that stand where they are not allowed to, for errors.
  package static func duplicates() throws -> List { try list([1, 2, 1]) }
}
