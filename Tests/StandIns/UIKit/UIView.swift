package import StandInSupport

/// developer.apple.com/documentation/uikit/uiresponder
@MainActor open class UIResponder: NSObject {}

/// developer.apple.com/documentation/uikit/uiview
@MainActor open class UIView: UIResponder {
  /// developer.apple.com/documentation/uikit/uiview/init(frame:)
  public required init(frame: CGRect) {
    self.frame = frame
    storedBounds = CGRect(origin: .zero, size: frame.size)
  }

  /// developer.apple.com/documentation/uikit/uiview/init(coder:)
  public required init?(coder: NSCoder) { return nil }

  public override convenience init() { self.init(frame: .zero) }

  /// developer.apple.com/documentation/uikit/uiview/frame
  open var frame: CGRect {
    didSet { if frame.size != storedBounds.size { bounds.size = frame.size } }
  }

  var storedBounds: CGRect

  /// developer.apple.com/documentation/uikit/uiview/bounds
  open var bounds: CGRect {
    get { storedBounds }
    set {
      let former = storedBounds.size
      storedBounds = newValue
      if former != newValue.size { resizeSubviews(from: former) }
    }
  }

  /// developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.struct
  public struct AutoresizingMask: OptionSet, Sendable {
    /// developer.apple.com/documentation/swift/rawrepresentable/rawvalue-swift.property
    public let rawValue: UInt

    /// developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.struct/init(rawvalue:)
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.struct/flexiblewidth
    public static var flexibleWidth: AutoresizingMask { .init(rawValue: 1 << 1) }
    /// developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.struct/flexibleheight
    public static var flexibleHeight: AutoresizingMask { .init(rawValue: 1 << 4) }
  }

  /// developer.apple.com/documentation/uikit/uiview/autoresizingmask-swift.property
  open var autoresizingMask: AutoresizingMask = []

  /// developer.apple.com/documentation/uikit/uiview/isuserinteractionenabled
  open var isUserInteractionEnabled = true

  private func resizeSubviews(from former: CGSize) {
    for view in subviews {
      if view.autoresizingMask.contains(.flexibleWidth) {
        view.frame.size.width += storedBounds.width - former.width
      }
      if view.autoresizingMask.contains(.flexibleHeight) {
        view.frame.size.height += storedBounds.height - former.height
      }
      if !view.autoresizingMask.isEmpty { view.setNeedsLayout() }
    }
  }

  /// developer.apple.com/documentation/uikit/uiview/ishidden
  open var isHidden = false

  /// developer.apple.com/documentation/uikit/uiview/alpha
  open var alpha: CGFloat = 1

  /// developer.apple.com/documentation/uikit/uiview/superview
  open private(set) weak var superview: UIView?

  /// developer.apple.com/documentation/uikit/uiview/subviews
  open private(set) var subviews: [UIView] = []

  /// developer.apple.com/documentation/uikit/uiview/window
  open var window: UIWindow? { superview?.window }

  /// developer.apple.com/documentation/uikit/uitraitenvironment/traitcollection
  open var traitCollection: UITraitCollection { UITraitCollection() }

  /// developer.apple.com/documentation/uikit/uiview/effectiveuserinterfacelayoutdirection
  open var effectiveUserInterfaceLayoutDirection: UIUserInterfaceLayoutDirection {
    ownLayoutDirection
  }

  /// How the system has the view read, for tests to say.
  package var ownLayoutDirection = UIUserInterfaceLayoutDirection.leftToRight

  /// developer.apple.com/documentation/uikit/uiview/safeareainsets
  open var safeAreaInsets: UIEdgeInsets { ownSafeAreaInsets }

  /// What bars and cutouts cover of the view, for tests to say.
  package var ownSafeAreaInsets = UIEdgeInsets.zero

  /// developer.apple.com/documentation/uikit/uiview/layoutmargins
  open var layoutMargins = UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8)

  /// developer.apple.com/documentation/uikit/uiview/addsubview(_:)
  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
    if view.window != nil { view.reportWindow() }
  }

  /// developer.apple.com/documentation/uikit/uiview/removefromsuperview()
  open func removeFromSuperview() {
    let hadWindow = window != nil
    superview?.subviews.removeAll { $0 === self }
    superview = nil
    if hadWindow { reportWindow() }
  }

  /// developer.apple.com/documentation/uikit/uiview/didmovetowindow()
  open func didMoveToWindow() {}

  private func reportWindow() {
    didMoveToWindow()
    for view in subviews { view.reportWindow() }
  }

  private var needsLayout = true

  /// developer.apple.com/documentation/uikit/uiview/setneedslayout()
  open func setNeedsLayout() { needsLayout = true }

  /// developer.apple.com/documentation/uikit/uiview/layoutifneeded()
  open func layoutIfNeeded() {
    if needsLayout {
      needsLayout = false
      layoutSubviews()
    }
    for view in subviews { view.layoutIfNeeded() }
  }

  /// How often it was said that the view may need another size.
  package private(set) var sizeInvalidations = 0

  /// developer.apple.com/documentation/uikit/uiview/invalidateintrinsiccontentsize()
  open func invalidateIntrinsicContentSize() { sizeInvalidations += 1 }

  /// developer.apple.com/documentation/uikit/uiview/layoutsubviews()
  open func layoutSubviews() {}

  /// developer.apple.com/documentation/uikit/uiview/performwithoutanimation(_:)
  open class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) {
    let wereEnabled = areAnimationsEnabled
    animationsAreEnabled = false
    actionsWithoutAnimation()
    animationsAreEnabled = wereEnabled
  }

  private static var animationsAreEnabled = true

  /// developer.apple.com/documentation/uikit/uiview/areanimationsenabled
  open class var areAnimationsEnabled: Bool { animationsAreEnabled }

  /// Is told what a real view would raise; without one, the view traps.
  package var exceptionHandler: ((StandInException) -> Void)?

  package func raise(_ exception: StandInException) {
    guard let exceptionHandler else { fatalError("\(exception)") }
    exceptionHandler(exception)
  }
}

/// developer.apple.com/documentation/uikit/uiwindow
@MainActor open class UIWindow: UIView {
  open override var window: UIWindow? { self }
}

/// developer.apple.com/documentation/uikit/uiuserinterfacelayoutdirection
public enum UIUserInterfaceLayoutDirection: Int, Sendable {
  case leftToRight = 0
  case rightToLeft = 1
}

/// developer.apple.com/documentation/uikit/uitraitcollection
open class UITraitCollection: NSObject {
  /// developer.apple.com/documentation/uikit/uitraitcollection/displayscale
  open var displayScale: CGFloat { 2 }
}

/// developer.apple.com/documentation/uikit/uinib
@MainActor open class UINib: NSObject {}
