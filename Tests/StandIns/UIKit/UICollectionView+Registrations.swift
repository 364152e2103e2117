import Diffable
import StandInSupport

extension UICollectionView {
  /// developer.apple.com/documentation/uikit/uicollectionview/register(_:forcellwithreuseidentifier:)-3vaho
  public func register(
    _ cellClass: AnyClass?, forCellWithReuseIdentifier identifier: String
  ) {
    registeredClasses["cell " + identifier] = cellClass
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/register(_:forsupplementaryviewofkind:withreuseidentifier:)-661io
  public func register(
    _ viewClass: AnyClass?, forSupplementaryViewOfKind elementKind: String,
    withReuseIdentifier identifier: String
  ) {
    registeredClasses[elementKind + " " + identifier] = viewClass
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/register(_:forcellwithreuseidentifier:)-6z6t4
  public func register(_ nib: UINib?, forCellWithReuseIdentifier identifier: String) {
    registeredClasses["cell " + identifier] = nib.map { _ in UICollectionViewCell.self }
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/register(_:forsupplementaryviewofkind:withreuseidentifier:)-9hn73
  public func register(
    _ nib: UINib?, forSupplementaryViewOfKind kind: String,
    withReuseIdentifier identifier: String
  ) {
    registeredClasses[kind + " " + identifier] = nib.map { _ in UICollectionReusableView.self }
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/dequeuereusablecell(withreuseidentifier:for:)
  public func dequeueReusableCell(
    withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionViewCell {
    if let reconfigured {
      if reconfigured.reuseIdentifier != identifier {
        raise(.init("An item that is reconfigured must keep the reuse identifier of its cell."))
      }
      return reconfigured
    }
    let view = dequeue("cell", identifier)
    guard let cell = view as? UICollectionViewCell else {
      fatalError("the class for \(identifier) is no cell: \(type(of: view))")
    }
    return cell
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/dequeuereusablesupplementaryview(ofkind:withreuseidentifier:for:)
  public func dequeueReusableSupplementaryView(
    ofKind elementKind: String, withReuseIdentifier identifier: String, for indexPath: IndexPath
  ) -> UICollectionReusableView {
    dequeue(elementKind, identifier)
  }

  private func dequeue(_ kind: String, _ identifier: String) -> UICollectionReusableView {
    let key = kind + " " + identifier
    guard let viewClass = registeredClasses[key] as? UICollectionReusableView.Type else {
      fatalError(
        "could not dequeue a view of kind: \(kind) with identifier \(identifier) - must register "
          + "a nib or a class for the identifier or connect a prototype cell in a storyboard")
    }
    let view = freeViews[key]?.popLast() ?? viewClass.init(frame: .zero)
    if dequeued == nil { raise(.init("A view was dequeued that nobody has asked for.")) }
    dequeued?.append(view)
    view.reuseIdentifier = identifier
    view.storeKey = key
    view.prepareForReuse()
    return view
  }

  /// Takes back a view that has left the screen.
  func free(_ view: UICollectionReusableView) {
    view.removeFromSuperview()
    guard let key = view.storeKey else { return }
    freeViews[key, default: []].append(view)
  }

  /// Asks the data source for a view, which must be the one that it has dequeued for it.
  func asking<View: UICollectionReusableView>(_ ask: () -> View) -> View {
    dequeued = []
    let view = ask()
    if dequeued?.count != 1 || dequeued?.first !== view {
      raise(
        .init(
          "Expected dequeued view to be returned to the collection view in preparation for display. "
            + "\(dequeued?.count ?? 0) were dequeued."))
    }
    dequeued = nil
    return view
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/cellregistration
  public struct CellRegistration<Cell, Item> where Cell: UICollectionViewCell {
    /// developer.apple.com/documentation/uikit/uicollectionview/cellregistration/handler
    public typealias Handler = (Cell, IndexPath, Item) -> Void

    let handler: Handler
    let identifier: String

    /// developer.apple.com/documentation/uikit/uicollectionview/cellregistration/init(handler:)
    public init(handler: @escaping UICollectionView.CellRegistration<Cell, Item>.Handler) {
      self.handler = handler
      identifier = UUID().uuidString
    }
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/supplementaryregistration
  public struct SupplementaryRegistration<Supplementary>
  where Supplementary: UICollectionReusableView {
    /// developer.apple.com/documentation/uikit/uicollectionview/supplementaryregistration/handler
    public typealias Handler = (Supplementary, String, IndexPath) -> Void

    let handler: Handler
    let elementKind: String
    let identifier: String

    /// developer.apple.com/documentation/uikit/uicollectionview/supplementaryregistration/init(elementkind:handler:)
    public init(
      elementKind: String,
      handler: @escaping UICollectionView.SupplementaryRegistration<Supplementary>.Handler
    ) {
      self.elementKind = elementKind
      self.handler = handler
      identifier = UUID().uuidString
    }
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/dequeueconfiguredreusablecell(using:for:item:)
  @preconcurrency public func dequeueConfiguredReusableCell<Cell, Item>(
    using registration: UICollectionView.CellRegistration<Cell, Item>, for indexPath: IndexPath,
    item: Item?
  ) -> Cell where Cell: UICollectionViewCell {
    register(Cell.self, forCellWithReuseIdentifier: registration.identifier)
    let view = dequeueReusableCell(
      withReuseIdentifier: registration.identifier, for: indexPath)
    guard let cell = view as? Cell else { fatalError("the cell is \(type(of: view))") }
    if let item { registration.handler(cell, indexPath, item) }
    return cell
  }

  /// developer.apple.com/documentation/uikit/uicollectionview/dequeueconfiguredreusablesupplementary(using:for:)
  @preconcurrency public func dequeueConfiguredReusableSupplementary<Supplementary>(
    using registration: UICollectionView.SupplementaryRegistration<Supplementary>,
    for indexPath: IndexPath
  ) -> Supplementary where Supplementary: UICollectionReusableView {
    register(
      Supplementary.self, forSupplementaryViewOfKind: registration.elementKind,
      withReuseIdentifier: registration.identifier)
    let view = dequeueReusableSupplementaryView(
      ofKind: registration.elementKind, withReuseIdentifier: registration.identifier,
      for: indexPath)
    guard let supplementary = view as? Supplementary else {
      fatalError("the view is \(type(of: view))")
    }
    registration.handler(supplementary, registration.elementKind, indexPath)
    return supplementary
  }
}
