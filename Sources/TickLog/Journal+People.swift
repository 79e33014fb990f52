import GRDB

extension Journal {
  /// Forgets everybody but these: their time to come back is over.
  public func keepPeople(_ numbers: [UInt16]) throws(JournalError) {
    let kept = Set(numbers.map(Int64.init))
    try JournalError.attempt(path) {
      try database.write { database in
        let all = try Int64.fetchAll(database, sql: "SELECT number FROM person")
        for number in all where !kept.contains(number) {
          try database.execute(sql: "DELETE FROM person WHERE number = ?", arguments: [number])
        }
      }
    }
  }
}
