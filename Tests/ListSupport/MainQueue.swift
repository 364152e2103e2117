import Dispatch

private let mainQueueKey: DispatchSpecificKey<Bool> = {
  let key = DispatchSpecificKey<Bool>()
  DispatchQueue.main.setSpecific(key: key, value: true)
  return key
}()

/// Whether this code runs where code of the main actor does.
package var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueueKey) == true }
