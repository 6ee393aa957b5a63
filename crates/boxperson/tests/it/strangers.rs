//! Books that users add with `--rulebooks`: gaps and mistakes in them are reported clearly and break nothing else.

use crate::support::{Run, boxperson};
use craps_law::{HouseRules, Library, Source, TableRules};
use craps_money::{Money, Timing};
use craps_table::{Actor, Command, Manner, Role, Table};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A folder of books for `--rulebooks`.
pub struct Shelf {
    folder: TempDir,
}

impl Shelf {
    /// Makes a folder with one book: a copy of a built-in book under another id, with each file passed through `change`.
    pub fn with(id: &str, like: &str, change: impl Fn(&str, String) -> String) -> Shelf {
        let shelf = Shelf { folder: tempfile::tempdir().unwrap() };
        shelf.add(id, like, change);
        shelf
    }

    pub fn add(&self, id: &str, like: &str, change: impl Fn(&str, String) -> String) {
        for source in Library::shipped_sources() {
            if let Some(name) = source.path.strip_prefix(&format!("{like}/")) {
                self.write(&format!("{id}/{name}"), &change(name, source.text.clone()));
            }
        }
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Runs the program with these books.
    pub fn run(&self, args: &[&str]) -> Run {
        let folder = self.folder.path().to_str().unwrap();
        boxperson(&[&["--rulebooks", folder], args].concat())
    }

    /// Runs `law check` on a house file with this text.
    pub fn check(&self, house: &str) -> Run {
        let file = self.folder.path().join("house.toml.txt");
        fs::write(&file, house).unwrap();
        self.run(&["law", "check", file.to_str().unwrap()])
    }

    /// Loads the built-in books together with these.
    pub fn library(&self) -> Library {
        let mut sources = Library::shipped_sources();
        let mut stack = vec![self.folder.path().to_path_buf()];
        while let Some(folder) = stack.pop() {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let path = entry.path();
                if path.is_dir() {
                    stack.push(path);
                } else if path.extension().is_some_and(|ending| ending == "toml") {
                    let name = path.strip_prefix(self.folder.path()).unwrap().to_str().unwrap().to_owned();
                    sources.push(Source { path: name, text: fs::read_to_string(&path).unwrap() });
                }
            }
        }
        Library::load(&sources).unwrap_or_else(|errors| panic!("{}", errors[0]))
    }
}

/// Removes the records that begin with `head` and contain `key`.
pub fn without(text: &str, head: &str, key: &str) -> String {
    let mut parts = text.split(head);
    let mut all = parts.next().unwrap_or_default().to_owned();
    for part in parts.filter(|part| !part.contains(key)) {
        all.push_str(head);
        all.push_str(part);
    }
    assert!(all != text, "there is no {key} to remove");
    all
}

fn without_option(text: &str, key: &str) -> String {
    without(text, "[[option]]\n", &format!("key     = \"{key}\"\n"))
}

/// What the layout of a table with Fire must have under New Jersey's book.
const SPOTS: &str =
    "layout.fire_placed_on = 'nearest_numbered_spot'\nlayout.fire_collected_in = 'numbered_area_before_craps_bank'\n";

#[test]
fn a_book_with_odds_bets_and_no_multiple_for_the_house_to_name_is_checked() {
    let shelf = Shelf::with("zz", "nj", |name, text| match name {
        "house.toml" => without_option(&without_option(&text, "odds.k"), "odds.lay_k"),
        _ => text,
    });
    let run = shelf.check(&format!("book = 'zz'\nas_of = 2024-01-01\n[house]\noffer = 'all'\n{SPOTS}"));
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    // The table takes the maximum that the law allows.
    let library = shelf.library();
    let book = library.book("zz").unwrap();
    let rules = book.admit(&HouseRules::plain("zz", book.sample_day)).unwrap();
    let odds =
        rules.wager(craps_wagers::Catalogue::built_in().find("pass-odds").unwrap()).unwrap().odds.clone().unwrap();
    let most =
        book.wager(craps_wagers::Catalogue::built_in().find("pass-odds").unwrap()).unwrap().odds.clone().unwrap();
    assert_eq!(
        odds.multiple.on(craps_dice::Point::Six).unwrap().to_string(),
        most.most.on(None).unwrap().is.to_string()
    );
}

/// Plays a $20 buy bet on the four until it wins. Returns the player's win and the commission.
fn bought(rules: TableRules) -> (Money, Money) {
    let mut table = Table::open(rules).unwrap();
    let stick = Actor::staff(Role::Stick);
    let join = Command::Join { seat: 1, name: "Ann".into(), money: "1000".parse().unwrap() };
    table.run(Actor::staff(Role::Box), &join).unwrap();
    let [pass, buy] = ["pass", "buy-4"].map(|name| table.board().named(name).unwrap());
    let bet = |slot, amount: &str| {
        let amount = amount.parse().unwrap();
        Command::Bet { seat: 1, slot, amount, manner: Manner::default() }
    };
    table.run(Actor::player(1), &bet(pass, "5")).unwrap();
    table.run(stick, &Command::Throw { dice: "4-4".parse().unwrap() }).unwrap();
    let before = table.seat(1).unwrap().rail;
    table.run(Actor::player(1), &bet(buy, "20")).unwrap();
    table.run(stick, &Command::Throw { dice: "1-3".parse().unwrap() }).unwrap();
    let slot = table.seat(1).unwrap().bets.get(buy).copied();
    let standing = slot.map_or(Money::ZERO, |bet| bet.stake);
    let after = table.seat(1).unwrap().rail.plus(standing).unwrap();
    (after.minus(before).unwrap(), table.accounts().commission)
}

#[test]
fn the_table_takes_the_commission_that_the_odds_reckon_with() {
    let unkeyed = Shelf::with("zz", "nj", |name, text| match name {
        "wagers/number.toml" => text.replace("is = \"elected\", key = \"buy.offered\"", "is = \"listed\""),
        _ => text,
    });
    let on_win_only = Shelf::with("zz", "nj", |name, text| match name {
        "wagers/number.toml" => {
            let (buy, lay) = text.split_once("[[wager]]\nids   = [\"lay-4\"").unwrap();
            format!("{}[[wager]]\nids   = [\"lay-4\"{lay}", without(buy, "[[wager.commission]]\n", "up_front"))
        }
        "house.toml" => without_option(&text, "vig.buy.timing"),
        _ => text,
    });
    let buy = craps_wagers::Catalogue::built_in().find("buy-4").unwrap();
    for (shelf, timing) in [(unkeyed, Timing::UpFront), (on_win_only, Timing::OnWin)] {
        let library = shelf.library();
        let book = library.book("zz").unwrap();
        let mut house = HouseRules::plain("zz", book.sample_day);
        house.set("offer", "all").unwrap();
        house.set("chip", "0.50").unwrap();
        // A bet that stays up would pay commission up front again.
        house.set("auto_leave_up", "none").unwrap();
        let rules = book.admit(&house).unwrap();
        let charged =
            rules.wager(buy).unwrap().commission.clone().unwrap_or_else(|| panic!("{timing:?}: none is taken"));
        assert_eq!(charged.is.timing, timing);
        // The commission in `odds` must be the one that the table takes.
        let priced: Vec<_> = book.offerings(Some(book.sample_day)).into_iter().filter(|one| one.wager == buy).collect();
        assert!(priced.iter().any(|one| one.commission == Some(charged.is)), "{timing:?}");
        assert!(priced.iter().all(|one| one.commission.is_some()), "{timing:?}");
        let (won, taken) = bought(rules);
        assert_eq!((won, taken), ("39".parse().unwrap(), "1".parse().unwrap()), "{timing:?}");
        let run = shelf.run(&["odds", "--book", "zz", "--format", "json"]);
        assert_eq!(run.code, 0, "{}", run.err);
    }
}

fn of_nj(changes: &'static [(&'static str, &'static str, &'static str)]) -> Shelf {
    Shelf::with("zz", "nj", |name, text| {
        changes.iter().filter(|(file, ..)| *file == name).fold(text, |text, (_, from, to)| {
            assert!(text.contains(from), "{name} has no {from}");
            text.replacen(from, to, 1)
        })
    })
}

#[test]
fn values_that_no_house_could_use_are_named_with_their_place_and_what_would_do() {
    /// File, text in it, and replacement.
    type Change = (&'static str, &'static str, &'static str);
    let rows: [(&[Change], &str); 8] = [
        (
            &[("house.toml", "{ fixed = \"exact_or_refuse\" }", "{ fixed = \"sideways\" }")],
            "`rounding`: expected one of: exact_or_refuse, up, down, found `sideways`",
        ),
        (&[("house.toml", "default = \"5%\"", "default = \"lots\"")], "`vig.rate`: expected a rate such as \"5%\""),
        (&[("house.toml", "[\"0%\", \"5%\"]", "[\"0%\", \"lots\"]")], "`vig.rate`: expected a rate such as \"5%\""),
        (&[("house.toml", "[\"upfront\", \"on_win\"]", "[\"upfront\", \"later\"]")], "found `later`"),
        (&[("house.toml", "default = \"3-4-5\"", "default = \"many\"")], "`odds.k`: expected a multiple such as 10"),
        (&[("house.toml", "allow   = \"odds\"", "allow   = \"prices\"")], "`odds.k`: `allow` can't be \"prices\""),
        (&[("house.toml", "binds   = [\"buy\"]", "binds   = [\"by\"]")], "`binds` takes line, odds"),
        (
            &[("wagers/shooter.toml", "key = \"fire.offered\"", "key = \"fire\"")],
            "expected a key such as \"name.offered\", found `fire`",
        ),
    ];
    for (changes, expected) in rows {
        let shelf = Shelf::with("zz", "nj", |name, text| {
            changes.iter().filter(|(file, ..)| *file == name).fold(text, |text, (_, from, to)| {
                assert!(text.contains(from), "{name} has no {from}");
                text.replacen(from, to, 1)
            })
        });
        let run = shelf.run(&["law", "verify", "zz"]);
        let place = format!("zz/{}:", changes[0].0);
        assert!(run.code == 2 && run.err.contains(expected) && run.err.contains(&place), "{changes:?}: {}", run.err);
    }
}

#[test]
fn a_wager_whose_key_no_option_names_is_found_out() {
    let shelf = of_nj(&[("wagers/shooter.toml", "key = \"fire.offered\"", "key = \"zzz.offered\"")]);
    let run = shelf.run(&["law", "verify", "zz", "--format", "json"]);
    assert!(run.code == 1 && run.out.contains("fire is offered by zzz.offered, but no option says"), "{}", run.out);
    let timing = of_nj(&[(
        "wagers/number.toml",
        "[[wager.commission]]\ntiming = \"up_front\"\nbase   = \"stake\"\nmost   = \"5%\"\ncite   = \"NJ 1.5(a)\"\n",
        "",
    )]);
    let run = timing.run(&["law", "verify", "zz", "--format", "json"]);
    assert!(run.code == 1 && run.out.contains("vig.buy.timing allows upfront, but buy-4 has no such"), "{}", run.out);
}

#[test]
fn a_product_of_a_strangers_book_has_its_house_keys_without_code() {
    let shelf = Shelf::with("zz", "nj", |name, text| match name {
        // The topics keep their names.
        "wagers/shooter.toml" | "house.toml" => {
            text.replace("\"fire.", "\"blaze.").replace("topic   = \"blaze.", "topic   = \"fire.")
        }
        _ => text,
    });
    let house = "book = 'zz'\nas_of = 2024-01-01\n[house]\n";
    let lawful = shelf.check(&format!("{house}offer = ['blaze']\nblaze.amount = '1..5'\n{SPOTS}"));
    assert_eq!(lawful.code, 0, "{}{}", lawful.out, lawful.err);
    let short = shelf.check(&format!("{house}blaze = 'offered'\n{SPOTS}"));
    assert_eq!(short.code, 0, "{}{}", short.out, short.err);
    let above = shelf.check(&format!("{house}offer = ['blaze']\nblaze.amount = '1..25'\n{SPOTS}"));
    assert!(above.code == 1 && above.out.contains("blaze.amount"), "{}{}", above.out, above.err);
    let misspelled = shelf.check(&format!("{house}blaz.offered = 'yes'\n"));
    assert!(misspelled.code == 2 && misspelled.err.contains("did you mean `blaze.offered`?"), "{}", misspelled.err);
    let wrong = shelf.check(&format!("{house}blaze.offered = 'maybe'\n"));
    assert!(
        wrong.code == 2 && wrong.err.contains("`blaze.offered`: expected yes or no, found `maybe`"),
        "{}",
        wrong.err
    );
    assert!(shelf.run(&["law", "keys", "zz"]).out.contains("blaze.table"));
    // The built-in books don't know this key.
    let file = shelf.path().join("house.toml.txt");
    let unknown = boxperson(&["law", "check", file.to_str().unwrap()]);
    assert!(unknown.code == 2 && unknown.err.contains("unknown house key `blaze.offered`"), "{}", unknown.err);
}

#[test]
fn practice_limits_follow_from_what_the_book_lets_a_house_post() {
    let shelf = Shelf::with("zz", "nj", |name, text| match name {
        "house.toml" => text.replacen(
            "key     = \"limits\"\nallow   = \"any\"",
            "key     = \"limits\"\nallow   = { between = [\"10\", \"100\"] }",
            1,
        ),
        _ => text,
    });
    let verified = shelf.run(&["law", "verify", "zz"]);
    assert_eq!(verified.code, 0, "{}{}", verified.out, verified.err);
    let folder = shelf.path().to_str().unwrap();
    let args = ["--rulebooks", folder, "play", "--plain", "--house", "zz", "--seed", "7"];
    let run = crate::support::boxperson_with_input(&args, "pass 5\npass 100\npass 1\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("Table minimum is $10."), "{}", run.out);
    assert!(run.out.contains("ok: pass line for 100") && run.out.contains("Table maximum is $100."), "{}", run.out);
}

#[test]
fn topics_of_a_folder_are_added_to_the_rest() {
    let shelf = of_nj(&[(
        "procedure.toml",
        "[[rule]]\n",
        "[[rule]]\ntopic = \"moon.phase\"\nis    = \"waning\"\ncite  = \"NJ 1.2(a)\"\n\n[[rule]]\n",
    )]);
    let run = shelf.run(&["law", "list"]);
    assert!(run.code == 2 && run.err.contains("topic `moon.phase`: unknown topic"), "{}", run.err);
    let one = "[[topic]]\nname = \"moon.phase\"\nasks = \"Which moon?\"\nkind = \"word\"\nwords = [\"full\"]\n";
    shelf.write("topics/moon.toml", one);
    let run = shelf.run(&["law", "list"]);
    assert!(run.code == 2 && run.err.contains("expected one of: full; found \"waning\""), "{}", run.err);
    // Adds a word to a known topic.
    shelf.write("topics/more.toml", &one.replace("full", "waning"));
    let run = shelf.run(&["law", "list"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(shelf.run(&["law", "show", "zz", "1.2"]).out.contains("waning"));
    shelf.write("topics/other.toml", &one.replace("\"word\"", "\"yes_no\""));
    let run = shelf.run(&["law", "list"]);
    assert!(
        run.code == 2 && run.err.contains("topics/other.toml:2:8: topic `moon.phase` is already defined"),
        "{}",
        run.err
    );
}

#[test]
fn a_bad_book_costs_its_own_practice_table_and_never_the_server() {
    let shelf = Shelf::with("zz", "nj", |name, text| match name {
        "house.toml" => format!(
            "[[option]]\nkey = \"limits.min\"\nallow = {{ fixed = \"50\" }}\ndefault = \"50\"\ncite = \"NJ 1.2(a)\"\n\
             [[option]]\nkey = \"limits.max\"\nallow = {{ fixed = \"20\" }}\ndefault = \"20\"\ncite = \"NJ 1.2(a)\"\n{text}"
        ),
        _ => text,
    });
    let verified = shelf.run(&["law", "verify", "zz", "--format", "json"]);
    assert!(
        verified.code == 1 && verified.out.contains("no practice table: limits.min: 50 is above"),
        "{}",
        verified.out
    );
    shelf.write("yy/book.toml", "name = 1\n");
    let home = tempfile::tempdir().unwrap();
    let server = crate::serve::Running::start(home.path(), &["--rulebooks", shelf.path().to_str().unwrap()]);
    assert!(server.said().contains("practice-pa"), "{}", server.said());
    assert!(server.said().contains("no practice table under zz: "), "{}", server.said());
    assert!(server.ask("GET /tables").contains("practice-nj"), "the others are served");
    assert_eq!(server.stop(), 0);
}

/// Runs `law verify` on a changed copy of New Jersey's book and returns its findings.
fn findings(shelf: &Shelf) -> Vec<String> {
    let run = shelf.run(&["law", "verify", "zz", "--format", "json"]);
    let findings: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    let findings: Vec<String> =
        findings.as_array().unwrap().iter().map(|row| row["finding"].as_str().unwrap().to_owned()).collect();
    assert_eq!(run.code, i32::from(!findings.is_empty()), "{findings:?}");
    findings
}

#[test]
fn a_book_that_lets_nobody_do_what_players_do_is_found_out() {
    for (topic, what) in [
        ("may.bet", "bet"),
        ("may.take_down", "take down a bet"),
        ("may.call", "turn a bet on or off"),
        ("may.buy_in", "buy chips"),
        ("may.leave", "leave the table"),
    ] {
        let shelf = Shelf::with("zz", "nj", |name, text| match name {
            "procedure.toml" => {
                let head = format!("topic = \"{topic}\"\nis    = ");
                let (before, answer) = text.split_once(&head).unwrap();
                let (_, after) = answer.split_once('\n').unwrap();
                format!("{before}{head}[\"nobody\"]\n{after}")
            }
            _ => text,
        });
        let expected = format!(": {topic}: nobody may {what}; answer this topic");
        let all = findings(&shelf);
        let about: Vec<&String> = all.iter().filter(|finding| finding.starts_with("not playable at ")).collect();
        assert!(about.len() == 1 && about[0].ends_with(&expected), "{all:?}");
    }
}

#[test]
fn what_a_book_leaves_to_the_usual_crew_is_a_note_and_no_finding() {
    let shelf = Shelf::with("zz", "nj", |name, text| match name {
        "procedure.toml" => without(&text, "[[rule]]\n", "topic = \"may.bet\"\n"),
        _ => text,
    });
    assert_eq!(findings(&shelf), Vec::<String>::new());
    let run = shelf.run(&["law", "verify", "zz"]);
    let note = "note: zz doesn't say who may make a bet; the usual crew does it\n";
    assert_eq!((run.code, run.out), (0, format!("1 book, no findings\n{note}")));
}

#[test]
fn a_bet_that_no_table_would_ever_take_is_found_out_with_the_table_s_words() {
    // Fire takes 1 to 5 dollars, and a price of 25 to 6 pays only multiples of 6.
    let shelf = of_nj(&[("wagers/shooter.toml", "\"4\" = \"24 to 1\"", "\"4\" = \"25 to 6\"")]);
    let all = findings(&shelf);
    assert_eq!(all.len(), 1, "{all:?}");
    assert!(all[0].starts_with("not playable at craps: fire: the table never takes this bet: "), "{all:?}");
    assert!(all[0].contains("Maximum on Fire Bet is $5"), "{all:?}");
}

#[test]
fn a_commission_that_the_odds_do_not_reckon_with_is_found_out() {
    let shelf = of_nj(&[("house.toml", "default = \"5%\"", "default = \"0%\"")]);
    let all = findings(&shelf);
    let buy = all.iter().find(|finding| finding.contains(": buy-4: ")).unwrap_or_else(|| panic!("{all:?}"));
    assert!(buy.contains("a bet of") && buy.contains("by the odds record"), "{buy}");
}

#[test]
fn a_game_without_a_layout_is_found_out() {
    let shelf = Shelf::with("zz", "co-crapless", |name, text| match name {
        "book.toml" => text.replacen("is = \"craps\"", "is = \"mini-craps\"", 1),
        _ => text,
    });
    let all = findings(&shelf);
    let expected = "no layout: layouts: there is no template for the game mini-craps with these points";
    assert!(all.iter().any(|finding| finding == expected), "{all:?}");
}

#[test]
fn a_book_s_own_name_for_a_wager_is_understood() {
    let shelf = Shelf::with("zz", "nj", |name, text| match name {
        "wagers/line.toml" => text.replacen("name  = \"Pass Bet\"", "name  = \"Win Line\"", 1),
        _ => text,
    });
    let args = ["--rulebooks", shelf.path().to_str().unwrap(), "play", "--plain", "--house", "zz", "--seed", "7"];
    let run = crate::support::boxperson_with_input(&args, "win line 10\n12 on the sixx\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("ok: pass line for 10"), "{}", run.out);
    // The phrases of the catalogue keep their meaning: here the don't pass is called the pass line.
    let clash = Shelf::with("zz", "nj", |name, text| match name {
        "wagers/line.toml" => text.replacen("name  = \"Don't Pass Bet\"", "name  = \"Pass Line\"", 1),
        _ => text,
    });
    let args = ["--rulebooks", clash.path().to_str().unwrap(), "play", "--plain", "--house", "zz", "--seed", "7"];
    let run = crate::support::boxperson_with_input(&args, "pass line 10\n");
    assert!(run.out.contains("ok: pass line for 10"), "{}", run.out);
}

#[test]
fn the_extra_panel_of_the_felt_shows_the_book_s_own_names() {
    let shelf = Shelf { folder: tempfile::tempdir().unwrap() };
    let playground = crate::support::root().join("examples/playground/no-law");
    let mut stack = vec![playground.clone()];
    while let Some(folder) = stack.pop() {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.is_dir() {
                stack.push(path);
                continue;
            }
            let name = path.strip_prefix(&playground).unwrap().to_str().unwrap().to_owned();
            let text = fs::read_to_string(&path).unwrap();
            let text = match name.as_str() {
                "wagers/side.toml" => text.replacen("name  = \"Hi-Lo\"", "name  = \"High and Low\"", 1),
                _ => text,
            };
            shelf.write(&format!("own/{name}"), &text);
        }
    }
    let run = shelf.run(&["layout", "own"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("HIGH AND LOW") && run.out.contains("FOUR ROLLS NO SEVEN"), "{}", run.out);
}

#[test]
fn the_card_of_a_wager_tells_the_rule_of_each_book() {
    let shelf = Shelf::with("zz", "nj", |name, text| match name {
        "wagers/line.toml" => {
            assert!(text.contains("bar = { is = \"12\""), "{text}");
            text.replace("bar = { is = \"12\"", "bar = { is = \"2\"")
        }
        _ => text,
    });
    let run = shelf.run(&["wager", "dont-pass", "--format", "json"]);
    let card: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
    let outcome = |throws: &str| {
        let examples = card["examples"].as_array().unwrap();
        examples.iter().find(|example| example["throws"] == throws).unwrap()["outcome"].as_str().unwrap().to_owned()
    };
    assert_eq!(outcome("6-6"), "pushed; win in zz");
    assert_eq!(outcome("1-1"), "win; pushed in zz");
}
