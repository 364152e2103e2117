/// A solved group: the frames of its contents, relative to its top left corner.
///
/// A section without measured sizes is one such solution, repeated.
struct GroupSolution: Sendable {
  /// One cell of the group.
  struct Cell: Sendable {
    /// The frame, without content insets.
    var frame: LayoutRect

    /// The frame of the innermost enclosing group.
    var clip: LayoutRect

    /// The far edges with the fixed edge spacing after them, used when the last group is trimmed.
    var reach: LayoutExtent

    /// The drawing order that a custom group requests.
    var zIndex: Int

    /// The axes along which the view is measured.
    var estimated: EstimatedAxes
  }

  /// One view attached to the group, to a nested group or to a cell.
  struct Attachment: Sendable {
    /// The description.
    let item: LayoutSupplementaryItem

    /// The size without measurement.
    let size: LayoutExtent

    /// The frame of the item or group it is attached to.
    var container: LayoutRect

    /// The frame of the innermost enclosing group.
    var clip: LayoutRect

    /// The number of views of the kind before it in the group.
    var ordinal = 0

    /// The frame, with the measured size if there is one.
    func frame(measured: LayoutExtent?) -> LayoutRect {
      let axes = EstimatedAxes(of: item.layoutSize)
      return item.frame(of: measured.map { axes.replacing(size, by: $0) } ?? size, in: container)
    }
  }

  /// The outer size of the group.
  var size: LayoutExtent

  /// The cells, in item order.
  var cells: [Cell] = []

  /// The attached views, in layout order: those of a nested group before those of its parent.
  var attachments: [Attachment] = []

  /// The number of slots of groups in it that have no cell, at least one for each.
  var emptySlots = 0

  /// Adds the solution of a nested group, at an offset from this group's corner.
  mutating func append(_ nested: GroupSolution, at offset: LayoutPoint) {
    for var cell in nested.cells {
      cell.frame = cell.frame.moved(by: offset)
      cell.clip = cell.clip.moved(by: offset)
      cell.reach.width += offset.x
      cell.reach.height += offset.y
      cells.append(cell)
    }
    for var attachment in nested.attachments {
      attachment.container = attachment.container.moved(by: offset)
      attachment.clip = attachment.clip.moved(by: offset)
      attachments.append(attachment)
    }
  }

  /// The farthest edge of the cells along an axis, fixed edge spacing included.
  func reach(_ axis: LayoutAxis) -> Double {
    cells.lazy.map { $0.reach[axis] }.max() ?? 0
  }

  /// The maximum overhang of cells and attached views over the group's span along an axis.
  func overhang(_ axis: LayoutAxis) -> Double {
    var result = 0.0
    for frame in cells.lazy.map(\.frame) {
      result = max(result, -frame.start(axis), frame.end(axis) - size[axis])
    }
    for attachment in attachments {
      let frame = attachment.frame(measured: nil)
      result = max(result, -frame.start(axis), frame.end(axis) - size[axis])
    }
    return result
  }

  /// Whether everything in it is where it is in another one.
  func hasFrames(of other: GroupSolution) -> Bool {
    size == other.size && cells.elementsEqual(other.cells) { $0.frame == $1.frame }
      && attachments.elementsEqual(other.attachments) { $0.container == $1.container }
  }

  /// Whether every frame is a number.
  var isFinite: Bool {
    size.isFinite && cells.allSatisfy(\.frame.isFinite)
      && attachments.allSatisfy { $0.frame(measured: nil).isFinite }
  }
}

/// The axes along which the size of a view is measured.
struct EstimatedAxes: OptionSet, Hashable, Sendable {
  let rawValue: UInt8

  static let width = EstimatedAxes(rawValue: 1)
  static let height = EstimatedAxes(rawValue: 2)

  init(rawValue: UInt8) {
    self.rawValue = rawValue
  }

  init(of size: LayoutSize) {
    self = []
    if size.width.isEstimated { insert(.width) }
    if size.height.isEstimated { insert(.height) }
  }

  /// A size with the measured lengths on these axes, and the computed ones on the others.
  func replacing(_ size: LayoutExtent, by measured: LayoutExtent) -> LayoutExtent {
    LayoutExtent(
      width: contains(.width) ? measured.width : size.width,
      height: contains(.height) ? measured.height : size.height)
  }
}
