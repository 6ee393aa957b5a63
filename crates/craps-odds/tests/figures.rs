use craps_law::Library;
use craps_odds::{Solver, price};
#[test]
fn all() {
    let library = Library::shipped();
    let mut solver = Solver::default();
    let mut n = 0;
    for book in &library.books {
        for o in book.offerings(None) {
            let t = std::time::Instant::now();
            let a = price(&mut solver, &o);
            n += 1;
            println!("{} {} {} {} {:.6} {:?}", book.id, o.name(), o.pay_table, o.commission.map(|c| c.to_string()).unwrap_or_default(), a.edge.to_f64().value()*100.0, t.elapsed());
        }
    }
    println!("{n}");
}
