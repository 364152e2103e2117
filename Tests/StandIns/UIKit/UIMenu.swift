/// developer.apple.com/documentation/uikit/uiimage
open class UIImage: NSObject {}

/// developer.apple.com/documentation/uikit/uimenuelement
@MainActor open class UIMenuElement: NSObject {
  /// developer.apple.com/documentation/uikit/uimenuelement/state
  public enum State: Int, Sendable {
    case off = 0
    case on = 1
    case mixed = 2
  }

  /// developer.apple.com/documentation/uikit/uimenuelement/attributes
  public struct Attributes: OptionSet, Sendable {
    /// developer.apple.com/documentation/swift/rawrepresentable/rawvalue-swift.property
    public let rawValue: UInt

    /// developer.apple.com/documentation/uikit/uimenuelement/attributes/init(rawvalue:)
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// developer.apple.com/documentation/uikit/uimenuelement/attributes/destructive
    public static var destructive: Attributes { .init(rawValue: 1 << 1) }
  }

  /// developer.apple.com/documentation/uikit/uimenuelement/title
  open internal(set) var title = ""
}

/// developer.apple.com/documentation/uikit/uiaction
@MainActor open class UIAction: UIMenuElement {
  /// developer.apple.com/documentation/uikit/uiaction/identifier-swift.struct
  public struct Identifier: Hashable, RawRepresentable, Sendable {
    /// developer.apple.com/documentation/swift/rawrepresentable/rawvalue-swift.property
    public let rawValue: String

    /// developer.apple.com/documentation/uikit/uiaction/identifier-swift.struct/init(rawvalue:)
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// developer.apple.com/documentation/uikit/uiaction/init(title:image:identifier:discoverabilitytitle:attributes:state:handler:)
  @preconcurrency public convenience init(
    title: String = "", image: UIImage? = nil, identifier: UIAction.Identifier? = nil,
    discoverabilityTitle: String? = nil, attributes: UIMenuElement.Attributes = [],
    state: UIMenuElement.State = .off, handler: @escaping UIActionHandler
  ) {
    self.init()
    self.title = title
    (self.attributes, self.state, self.handler) = (attributes, state, handler)
  }

  /// developer.apple.com/documentation/uikit/uiaction/attributes
  open var attributes: UIMenuElement.Attributes = []
  /// developer.apple.com/documentation/uikit/uiaction/state
  open var state = UIMenuElement.State.off

  /// What the system calls when the user chooses the action.
  package private(set) var handler: UIActionHandler = { _ in }
}

/// developer.apple.com/documentation/uikit/uiactionhandler
public typealias UIActionHandler = (UIAction) -> Void

/// developer.apple.com/documentation/uikit/uimenu
@MainActor open class UIMenu: UIMenuElement {
  /// developer.apple.com/documentation/uikit/uimenu/identifier-swift.struct
  public struct Identifier: Hashable, RawRepresentable, Sendable {
    /// developer.apple.com/documentation/swift/rawrepresentable/rawvalue-swift.property
    public let rawValue: String

    /// developer.apple.com/documentation/uikit/uimenu/identifier-swift.struct/init(rawvalue:)
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// developer.apple.com/documentation/uikit/uimenu/options-swift.struct
  public struct Options: OptionSet, Sendable {
    /// developer.apple.com/documentation/swift/rawrepresentable/rawvalue-swift.property
    public let rawValue: UInt

    /// developer.apple.com/documentation/uikit/uimenu/options-swift.struct/init(rawvalue:)
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }

  /// developer.apple.com/documentation/uikit/uimenu/init(title:image:identifier:options:children:)
  @preconcurrency public convenience init(
    title: String = "", image: UIImage? = nil, identifier: UIMenu.Identifier? = nil,
    options: UIMenu.Options = [], children: [UIMenuElement] = []
  ) {
    self.init()
    self.title = title
    (self.options, self.children) = (options, children)
  }

  /// developer.apple.com/documentation/uikit/uimenu/options-swift.property
  open private(set) var options: UIMenu.Options = []
  /// developer.apple.com/documentation/uikit/uimenu/children
  open private(set) var children: [UIMenuElement] = []
}

/// developer.apple.com/documentation/uikit/uiviewcontroller
@MainActor open class UIViewController: UIResponder {}

/// developer.apple.com/documentation/uikit/uicontextmenucontentpreviewprovider
public typealias UIContextMenuContentPreviewProvider = () -> UIViewController?

/// developer.apple.com/documentation/uikit/uicontextmenuactionprovider
public typealias UIContextMenuActionProvider = ([UIMenuElement]) -> UIMenu?

/// developer.apple.com/documentation/uikit/uicontextmenuconfiguration
@MainActor open class UIContextMenuConfiguration: NSObject {
  /// developer.apple.com/documentation/uikit/uicontextmenuconfiguration/init(identifier:previewprovider:actionprovider:)
  @preconcurrency public convenience init(
    identifier: (any NSCopying)? = nil,
    previewProvider: UIContextMenuContentPreviewProvider? = nil,
    actionProvider: UIContextMenuActionProvider? = nil
  ) {
    self.init()
    self.actionProvider = actionProvider
  }

  private var actionProvider: UIContextMenuActionProvider?

  /// The menu that the system shows, without actions that it suggests itself.
  package var menu: UIMenu? { actionProvider?([]) }
}
