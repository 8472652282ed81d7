/// Alarms in the order of their times: a binary heap.
///
/// An alarm cannot be taken out before its time: it goes off, and its source finds nothing to do. Sources re-use an
/// alarm that comes early enough, so there are few.
struct TimerHeap {
  struct Alarm {
    let time: LoopTime
    let token: EventToken
  }

  private var alarms: [Alarm] = []

  var count: Int { alarms.count }
  var first: LoopTime? { alarms.first?.time }

  mutating func insert(_ alarm: Alarm) {
    alarms.append(alarm)
    rise(from: alarms.count - 1)
  }

  /// Takes out the first alarm, if its time has come.
  mutating func removeFirst(until now: LoopTime) -> EventToken? {
    guard let first = alarms.first, first.time <= now else { return nil }
    let last = alarms.removeLast()
    if !alarms.isEmpty {
      alarms[0] = last
      sink(from: 0)
    }
    return first.token
  }

  /// Forgets the alarms of sources that are gone.
  mutating func keep(where isAlive: (EventToken) -> Bool) {
    alarms.removeAll { !isAlive($0.token) }
    for index in stride(from: alarms.count / 2, through: 0, by: -1) where index < alarms.count {
      sink(from: index)
    }
  }

  private mutating func rise(from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard alarms[index].time < alarms[parent].time else { return }
      alarms.swapAt(index, parent)
      index = parent
    }
  }

  private mutating func sink(from start: Int) {
    var index = start
    while true {
      var smallest = index
      for child in [2 * index + 1, 2 * index + 2] where child < alarms.count {
        if alarms[child].time < alarms[smallest].time { smallest = child }
      }
      guard smallest != index else { return }
      alarms.swapAt(index, smallest)
      index = smallest
    }
  }
}
