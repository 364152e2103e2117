/// An element of a group: an item or another group.
public indirect enum LayoutSubitem: Hashable, Sendable {
  /// A slot for one cell.
  case item(LayoutItem)

  /// A slot for a group, which shows as many cells as it has slots.
  case group(LayoutGroup)

  /// The size of the slot.
  var layoutSize: LayoutSize {
    switch self {
    case .item(let item): item.layoutSize
    case .group(let group): group.layoutSize
    }
  }

  /// The gaps around the slot.
  var edgeSpacing: LayoutEdgeSpacing {
    switch self {
    case .item(let item): item.edgeSpacing
    case .group(let group): group.edgeSpacing
    }
  }
}

/// A type that can be an element of a group; an array literal can mix items and groups.
public protocol LayoutSubitemConvertible: Sendable {
  /// The value as a subitem.
  var layoutSubitem: LayoutSubitem { get }
}

extension LayoutItem: LayoutSubitemConvertible {
  /// The item as a subitem.
  public var layoutSubitem: LayoutSubitem { .item(self) }
}

extension LayoutGroup: LayoutSubitemConvertible {
  /// The group as a subitem.
  public var layoutSubitem: LayoutSubitem { .group(self) }
}

extension LayoutSubitem: LayoutSubitemConvertible {
  /// The subitem itself.
  public var layoutSubitem: LayoutSubitem { self }
}
