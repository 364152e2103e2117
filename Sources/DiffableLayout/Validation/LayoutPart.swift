/// The path from a whole layout to one part of its description, outermost step first.
///
/// Prints as `section 2 › group › subitem 1 › width`.
package struct LayoutPart: Hashable, Sendable, CustomStringConvertible {
  /// One step of the path.
  package enum Step: Hashable, Sendable {
    /// The environment of the layout.
    case environment
    /// The configuration of the layout.
    case configuration
    /// A section, by index.
    case section(Int)
    /// One of the groups that a section repeats, by index.
    case group(Int)
    /// The waterfall of a section.
    case waterfall
    /// A subitem of a group, by index.
    case subitem(Int)
    /// A cell of a custom group, by index.
    case customItem(Int)
    /// A cell, by index in its section.
    case item(Int)
    /// A view attached to an item or a group, by kind.
    case supplementaryItem(kind: String)
    /// A header, footer or bar, by kind.
    case boundaryItem(kind: String)
    /// A view behind a section, by kind.
    case decorationItem(kind: String)
    /// A property, by name.
    case property(String)
  }

  /// The steps, outermost first.
  package var steps: [Step]

  /// Creates a path from its steps.
  package init(_ steps: Step...) {
    self.steps = steps
  }

  /// The path with one more step.
  func appending(_ step: Step) -> LayoutPart {
    var longer = self
    longer.steps.append(step)
    return longer
  }

  /// The path to a property.
  func property(_ name: String) -> LayoutPart { appending(.property(name)) }

  /// The steps, joined.
  package var description: String {
    steps.isEmpty ? "layout" : steps.map(\.description).joined(separator: " › ")
  }
}

extension LayoutPart.Step: CustomStringConvertible {
  /// The step in words.
  package var description: String {
    switch self {
    case .environment: "environment"
    case .configuration: "configuration"
    case .section(let index): "section \(index)"
    case .group(let index): "group \(index)"
    case .waterfall: "waterfall"
    case .subitem(let index): "subitem \(index)"
    case .customItem(let index): "custom item \(index)"
    case .item(let index): "item \(index)"
    case .supplementaryItem(let kind): "supplementary item “\(kind)”"
    case .boundaryItem(let kind): "boundary item “\(kind)”"
    case .decorationItem(let kind): "decoration item “\(kind)”"
    case .property(let name): name
    }
  }
}
