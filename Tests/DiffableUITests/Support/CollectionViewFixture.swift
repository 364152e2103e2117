import Diffable
import StandInSupport
import UIKit

/// A view of one column in a window, and what it raises.
@MainActor
final class CollectionViewFixture {
  final class NumberCell: UICollectionViewCell {
    var number: Int?
    var configurations = 0
  }

  let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 100, height: 1000))
  let view: UICollectionView
  private(set) var exceptions: [StandInException] = []

  /// - Parameters:
  ///   - height: The height of the view; a row is 20 high.
  ///   - headerHeight: The height of the header above each section; 0 for none.
  init(height: Int = 300, headerHeight: CGFloat = 0) {
    let layout = UICollectionViewFlowLayout()
    layout.itemSize = CGSize(width: 100, height: 20)
    layout.minimumLineSpacing = 0
    layout.headerReferenceSize = CGSize(width: 100, height: headerHeight)
    view = UICollectionView(
      frame: CGRect(x: 0, y: 0, width: 100, height: CGFloat(height)), collectionViewLayout: layout)
    view.show(in: window)
    view.exceptionHandler = { [unowned self] in exceptions.append($0) }
  }

  /// What the visible cells show, from top to bottom.
  var numbers: [Int?] {
    view.indexPathsForVisibleItems.sorted().map {
      (view.cellForItem(at: $0) as? NumberCell)?.number
    }
  }
}

/// A state with these items in each section; sections are numbered from 100.
func state(_ sections: [Int]...) throws -> Snapshot<Int, Int> {
  var snapshot = Snapshot<Int, Int>()
  for (index, items) in sections.enumerated() {
    snapshot.appendSections([100 + index])
    try snapshot.appendItems(items, toSection: 100 + index)
  }
  return snapshot
}
