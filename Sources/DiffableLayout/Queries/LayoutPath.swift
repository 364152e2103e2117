/// The place of an element: the index of its section and its index inside that section.
///
/// For a cell the second index counts items, for an anchored view the views of its kind in layout
/// order, for a header or footer it is 0, for a decoration its place in the section's list. A
/// boundary item of the whole layout is at section 0, item `Int.max`, as in UIKit.
///
/// The type belongs to this module and is not called `ItemPath`. The module does not import
/// `Diffable`, and a second type of that name would be ambiguous in code that imports both.
public struct LayoutPath: Hashable, Comparable, Sendable {
  /// The index of the section, from 0.
  public var section: Int

  /// The index inside the section, from 0.
  public var item: Int

  /// The path of the boundary items of the whole layout.
  public static let layout = LayoutPath(section: 0, item: .max)

  /// Creates a path.
  public init(section: Int, item: Int) {
    self.section = section
    self.item = item
  }

  /// Orders paths by section, then inside the section.
  public static func < (left: LayoutPath, right: LayoutPath) -> Bool {
    (left.section, left.item) < (right.section, right.item)
  }
}
