@testable import Diffable
@testable import DiffableSync

extension EditedList {
  /// A list that has read nothing yet.
  static func unread(
    _ kernels: SnapshotKernels, _ handlers: ModelHandlers<SectionID> = ModelHandlers()
  ) -> EditedList {
    let core = SourceCore<SectionID, ItemID>(SourceOptions(), kernels: kernels, children: nil)
    return EditedList(MirroredList(core, limits: DeltaLimits()), SourceOptions(), handlers)
  }
}
