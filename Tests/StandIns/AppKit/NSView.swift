package import StandInSupport

/// developer.apple.com/documentation/appkit/nsuserinterfaceitemidentifier
public struct NSUserInterfaceItemIdentifier: RawRepresentable, Hashable, Sendable {
  /// developer.apple.com/documentation/appkit/nsuserinterfaceitemidentifier/rawvalue
  public var rawValue: String

  /// developer.apple.com/documentation/appkit/nsuserinterfaceitemidentifier/init(rawvalue:)
  public init(rawValue: String) { self.rawValue = rawValue }

  /// developer.apple.com/documentation/appkit/nsuserinterfaceitemidentifier/init(_:)
  public init(_ rawValue: String) { self.rawValue = rawValue }
}

/// developer.apple.com/documentation/appkit/nsuserinterfaceitemidentification
public protocol NSUserInterfaceItemIdentification {
  /// developer.apple.com/documentation/appkit/nsuserinterfaceitemidentification/identifier
  @MainActor var identifier: NSUserInterfaceItemIdentifier? { get set }
}

/// developer.apple.com/documentation/appkit/nsresponder
@MainActor open class NSResponder: NSObject {}

/// developer.apple.com/documentation/appkit/nswindow
@MainActor open class NSWindow: NSResponder {
  /// developer.apple.com/documentation/appkit/nswindow/contentview
  open var contentView: NSView? {
    didSet {
      oldValue?.ownWindow = nil
      contentView?.ownWindow = self
    }
  }
}

/// developer.apple.com/documentation/appkit/nsview
@MainActor open class NSView: NSResponder, NSUserInterfaceItemIdentification {
  /// developer.apple.com/documentation/appkit/nsview/init(frame:)
  public required init(frame frameRect: NSRect) {
    frame = frameRect
    bounds = NSRect(origin: .zero, size: frameRect.size)
  }

  /// developer.apple.com/documentation/appkit/nsview/init(coder:)
  public required init?(coder: NSCoder) { return nil }

  /// developer.apple.com/documentation/appkit/nsview/frame
  open var frame: NSRect {
    didSet {
      guard frame != oldValue else { return }
      // Bounds that follow the frame are not reported.
      isFollowingFrame = true
      bounds.size = frame.size
      isFollowingFrame = false
      if postsFrameChangedNotifications { post(Self.frameDidChangeNotification) }
    }
  }
  private var isFollowingFrame = false
  /// developer.apple.com/documentation/appkit/nsview/bounds
  open var bounds: NSRect {
    didSet {
      guard bounds != oldValue, !isFollowingFrame else { return }
      if postsBoundsChangedNotifications { post(Self.boundsDidChangeNotification) }
    }
  }
  /// developer.apple.com/documentation/appkit/nsview/postsframechangednotifications
  open var postsFrameChangedNotifications = false
  /// developer.apple.com/documentation/appkit/nsview/postsboundschangednotifications
  open var postsBoundsChangedNotifications = false
  /// developer.apple.com/documentation/appkit/nsview/framedidchangenotification
  public class var frameDidChangeNotification: NSNotification.Name {
    NSNotification.Name("NSViewFrameDidChangeNotification")
  }
  /// developer.apple.com/documentation/appkit/nsview/boundsdidchangenotification
  public class var boundsDidChangeNotification: NSNotification.Name {
    NSNotification.Name("NSViewBoundsDidChangeNotification")
  }

  private func post(_ name: NSNotification.Name) {
    NotificationCenter.default.post(name: name, object: self)
  }
  /// developer.apple.com/documentation/appkit/nsuserinterfaceitemidentification/identifier
  open var identifier: NSUserInterfaceItemIdentifier?
  /// developer.apple.com/documentation/appkit/nsview/superview
  open private(set) weak var superview: NSView?
  /// developer.apple.com/documentation/appkit/nsview/subviews
  open var subviews: [NSView] {
    get { orderedSubviews }
    set {
      for view in orderedSubviews { view.removeFromSuperview() }
      for view in newValue { addSubview(view) }
    }
  }
  /// developer.apple.com/documentation/appkit/nsview/needslayout
  open var needsLayout = true

  private var orderedSubviews: [NSView] = []
  weak var ownWindow: NSWindow?

  /// developer.apple.com/documentation/appkit/nsview/window
  open var window: NSWindow? { ownWindow ?? superview?.window }

  /// developer.apple.com/documentation/appkit/nsview/addsubview(_:)
  open func addSubview(_ view: NSView) {
    view.removeFromSuperview()
    orderedSubviews.append(view)
    view.superview = self
  }

  /// developer.apple.com/documentation/appkit/nsview/removefromsuperview()
  open func removeFromSuperview() {
    superview?.orderedSubviews.removeAll { $0 === self }
    superview = nil
  }

  /// developer.apple.com/documentation/appkit/nsview/userinterfacelayoutdirection
  open var userInterfaceLayoutDirection = NSUserInterfaceLayoutDirection.leftToRight

  /// developer.apple.com/documentation/appkit/nsview/layout()
  open func layout() {}

  /// developer.apple.com/documentation/appkit/nsview/registereddraggedtypes
  open private(set) var registeredDraggedTypes: [NSPasteboard.PasteboardType] = []

  /// developer.apple.com/documentation/appkit/nsview/registerfordraggedtypes(_:)
  open func registerForDraggedTypes(_ newTypes: [NSPasteboard.PasteboardType]) {
    registeredDraggedTypes = newTypes
  }

  /// developer.apple.com/documentation/appkit/nsview/layoutsubtreeifneeded()
  open func layoutSubtreeIfNeeded() {
    guard needsLayout else { return }
    needsLayout = false
    layout()
  }

  /// developer.apple.com/documentation/appkit/nsview/enclosingscrollview
  open var enclosingScrollView: NSScrollView? {
    superview as? NSScrollView ?? superview?.enclosingScrollView
  }

  /// developer.apple.com/documentation/appkit/nsview/visiblerect
  open var visibleRect: NSRect {
    enclosingScrollView?.contentView.bounds ?? bounds
  }

  /// developer.apple.com/documentation/appkit/nsview/scroll(_:)
  open func scroll(_ point: NSPoint) {
    needsLayout = true
    enclosingScrollView?.contentView.bounds.origin = point
  }

  /// developer.apple.com/documentation/appkit/nsview/setboundsorigin(_:)
  open func setBoundsOrigin(_ newOrigin: NSPoint) { bounds.origin = newOrigin }

  /// A real clip view goes back to its content where that has become shorter.
  func fitOffset() {
    guard let clipView = enclosingScrollView?.contentView else { return }
    let insets = clipView.contentInsets
    let longest = NSPoint(
      x: max(-insets.left, frame.width + insets.right - clipView.bounds.width),
      y: max(-insets.top, frame.height + insets.bottom - clipView.bounds.height))
    let origin = clipView.bounds.origin
    clipView.bounds.origin = NSPoint(x: min(origin.x, longest.x), y: min(origin.y, longest.y))
  }

  /// developer.apple.com/documentation/appkit/nsanimatablepropertycontainer/animator()
  open func animator() -> Self { self }

  /// Is told what a real view would raise; without one, the view traps.
  package var exceptionHandler: ((StandInException) -> Void)?

  package func raise(_ exception: StandInException) {
    guard let exceptionHandler else { fatalError("\(exception)") }
    exceptionHandler(exception)
  }
}

/// developer.apple.com/documentation/appkit/nsuserinterfacelayoutdirection
public enum NSUserInterfaceLayoutDirection: Int, Sendable {
  case leftToRight = 0
  case rightToLeft = 1
}

/// developer.apple.com/documentation/appkit/nsclipview
@MainActor open class NSClipView: NSView {
  /// developer.apple.com/documentation/appkit/nsclipview/contentinsets
  open var contentInsets = NSEdgeInsets()

  /// Where an animation leads that is under way, and what is called at its end.
  var scrollGoal: NSPoint?
  private var completions: [() -> Void] = []
  private var isAnimator = false

  open override func animator() -> Self {
    isAnimator = true
    return self
  }

  open override func setBoundsOrigin(_ newOrigin: NSPoint) {
    guard isAnimator else { return super.setBoundsOrigin(newOrigin) }
    isAnimator = false
    NSAnimationContext.animated = (self, newOrigin)
  }

  /// Begins an animation, which replaces the one that is under way.
  ///
  /// Whatever else changes the bounds does not end it.
  func animate(to origin: NSPoint, duration: TimeInterval, completion: (() -> Void)?) {
    let replaced = completions
    scrollGoal = duration > 0 ? origin : nil
    completions = [completion].compactMap { duration > 0 ? $0 : nil }
    if duration == 0 { bounds.origin = origin }
    for call in replaced { call() }
    if duration == 0 { completion?() }
  }

  /// Moves on with an animation: half of the way, or all of it.
  func animateScrolling(toEnd: Bool) {
    guard let goal = scrollGoal else { return }
    let half = NSPoint(
      x: ((bounds.minX + goal.x) / 2).rounded(.down),
      y: ((bounds.minY + goal.y) / 2).rounded(.down))
    bounds.origin = toEnd ? goal : half
    guard toEnd else { return }
    scrollGoal = nil
    let ended = completions
    completions = []
    for call in ended { call() }
  }
}

/// developer.apple.com/documentation/appkit/nsscrollview
@MainActor open class NSScrollView: NSView {
  /// developer.apple.com/documentation/appkit/nsscrollview/contentview
  open var contentView: NSClipView {
    if clipView.superview == nil {
      addSubview(clipView)
      tile()
    }
    return clipView
  }

  private let clipView = NSClipView(frame: .zero)

  /// developer.apple.com/documentation/appkit/nsscrollview/documentview
  open var documentView: NSView? {
    didSet {
      oldValue?.removeFromSuperview()
      if let documentView { contentView.addSubview(documentView) }
    }
  }

  /// developer.apple.com/documentation/appkit/nsscrollview/contentinsets
  open var contentInsets: NSEdgeInsets {
    get { clipView.contentInsets }
    set {
      let (origin, insets) = (contentView.bounds.origin, contentInsets)
      clipView.contentInsets = newValue
      clipView.bounds.origin = NSPoint(
        x: origin.x <= -insets.left ? -newValue.left : origin.x,
        y: origin.y <= -insets.top ? -newValue.top : origin.y)
    }
  }

  /// developer.apple.com/documentation/appkit/nsscrollview/willstartlivescrollnotification
  public class var willStartLiveScrollNotification: NSNotification.Name {
    NSNotification.Name("NSScrollViewWillStartLiveScrollNotification")
  }

  /// developer.apple.com/documentation/appkit/nsscrollview/reflectscrolledclipview(_:)
  open func reflectScrolledClipView(_ cView: NSClipView) {}

  /// developer.apple.com/documentation/appkit/nsscrollview/tile()
  open func tile() {
    clipView.frame.size = frame.size
    documentView?.needsLayout = true
  }
}

/// developer.apple.com/documentation/appkit/nscontrol
@MainActor open class NSControl: NSView {}

/// developer.apple.com/documentation/appkit/nscontroltexteditingdelegate
public protocol NSControlTextEditingDelegate: NSObjectProtocol {}

/// developer.apple.com/documentation/appkit/nsnib
@MainActor open class NSNib: NSObject {
  /// developer.apple.com/documentation/appkit/nsnib/name
  public typealias Name = String
}

/// developer.apple.com/documentation/appkit/nsviewcontroller
@MainActor open class NSViewController: NSResponder, NSUserInterfaceItemIdentification {
  /// developer.apple.com/documentation/appkit/nsviewcontroller/init(nibname:bundle:)
  public required init(nibName nibNameOrNil: NSNib.Name?, bundle nibBundleOrNil: Bundle?) {}

  /// developer.apple.com/documentation/appkit/nsviewcontroller/init(coder:)
  public required init?(coder: NSCoder) { return nil }

  private var loadedView: NSView?

  /// developer.apple.com/documentation/appkit/nsviewcontroller/view
  open var view: NSView {
    get {
      if loadedView == nil { loadView() }
      guard let loadedView else { fatalError("could not load the nibName: \(type(of: self))") }
      return loadedView
    }
    set { loadedView = newValue }
  }

  /// developer.apple.com/documentation/appkit/nsviewcontroller/loadview()
  ///
  /// It looks for a nib of the name of the class, and there is none.
  open func loadView() {}

  /// developer.apple.com/documentation/appkit/nsuserinterfaceitemidentification/identifier
  open var identifier: NSUserInterfaceItemIdentifier?
}

/// developer.apple.com/documentation/appkit/nsanimationcontext
open class NSAnimationContext: NSObject {
  /// developer.apple.com/documentation/appkit/nsanimationcontext/duration
  open var duration: TimeInterval = 0.25

  /// developer.apple.com/documentation/appkit/nsanimationcontext/runanimationgroup(_:)
  open class func runAnimationGroup(_ changes: (NSAnimationContext) -> Void) {
    runAnimationGroup(changes, completionHandler: nil)
  }

  /// developer.apple.com/documentation/appkit/nsanimationcontext/runanimationgroup(_:completionhandler:)
  open class func runAnimationGroup(
    _ changes: (NSAnimationContext) -> Void, completionHandler: (@Sendable () -> Void)? = nil
  ) {
    let context = NSAnimationContext()
    MainActor.assumeIsolated { resized = nil }
    changes(context)
    let duration = context.duration
    MainActor.assumeIsolated {
      lastDuration = duration
      resized?.resizeDuration = duration
      resized = nil
      guard let (view, origin) = animated else {
        completionHandler?()
        return
      }
      animated = nil
      view.animate(to: origin, duration: duration, completion: completionHandler)
    }
  }

  /// The table whose rows have got other heights in the group that is being made.
  @MainActor static weak var resized: NSTableView?
  /// What the group that is being made animates.
  @MainActor static var animated: (view: NSClipView, origin: NSPoint)?

  /// How long the newest group takes, for tests.
  @MainActor package private(set) static var lastDuration: TimeInterval = 0
}

extension IndexPath {
  /// developer.apple.com/documentation/foundation/indexpath/init(item:section:)-rib
  public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

  /// developer.apple.com/documentation/foundation/indexpath/section-2059m
  public var section: Int {
    get { self[0] }
    set { self[0] = newValue }
  }

  /// developer.apple.com/documentation/foundation/indexpath/item-6rh8l
  public var item: Int {
    get { self[1] }
    set { self[1] = newValue }
  }
}

extension CGRect {
  /// Whether two rectangles have an area in common; those that touch have none.
  func overlaps(_ other: CGRect) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }

  /// The same with the axes exchanged.
  var transposed: CGRect { CGRect(x: minY, y: minX, width: height, height: width) }
}
