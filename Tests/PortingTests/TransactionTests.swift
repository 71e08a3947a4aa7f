import KeyValueObserving
import Testing

@Suite("Porting several changes as one")
struct TransactionTests {
  // guide: transaction
  @KeyValueObservable
  final class Account {
    var balance = 0
  }

  @KeyValueObservable
  final class Accounts {
    var checking = Account()
    var savings = Account()
    var total: Int { checking.balance + savings.balance }

    func transfer(_ amount: Int) {
      withKeyValueTransaction {
        checking.balance -= amount
        savings.balance += amount
      }
    }
  }
  // end

  @Test("P44: a flag that silences observers becomes a transaction")
  func several() throws {
    try expectPrints("transaction") {
      // guide: transaction
      let accounts = Accounts()
      let tokens = [
        accounts.onChange(of: \.savings.balance) { print("savings", $0) },
        accounts.onChange(of: \.total) { print("total", $0) },
      ]
      accounts.transfer(30)  // prints savings 30
      // prints total 0
      withExtendedLifetime(tokens) {}
      // end
    }
  }
}
