//! What a book shows of itself: its facts in words, its prices, its sections, and how it differs from another book.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod changed;

use changed::replaced;
use craps_law::view::Shown;
use craps_law::{Aspect, Day, Difference, HouseRules, Library, Offering, Prize, RuleBook, Source, diff};
use craps_wagers::Points;
use std::collections::{BTreeMap, BTreeSet};

fn day(text: &str) -> Option<Day> {
    Some(text.parse().unwrap())
}

/// The values of one fact, each as a book shows it.
fn values(book: &RuleBook, subject: &str, aspect: &Aspect) -> Vec<String> {
    let lines = book.lines(None).into_iter().filter(|line| line.subject == subject && line.aspect == *aspect);
    lines.map(|line| line.value).collect()
}

#[test]
fn facts_are_written_in_words() {
    let library = Library::shipped();
    let told = |book: &str, subject: &str, aspect: Aspect| values(library.book(book).unwrap(), subject, &aspect);
    assert_eq!(told("nj", "book", Aspect::Listed), ["only listed wagers"]);
    assert_eq!(told("nj", "pass", Aspect::Price), ["at least"]);
    assert_eq!(told("pa", "come-odds", Aspect::ComeOut), ["on (house: come_odds.on_comeout)"]);
    assert_eq!(told("nj", "place-win-6", Aspect::Pays(None)), ["7 to 6"]);
    assert_eq!(
        told("pa", "lucky-shooter", Aspect::Pays(Some("A".into()))),
        ["natural: 1 for 1; 3: 5 for 1; 4: 15 for 1; 5: 150 for 1; 5+point: 1000 for 1"]
    );
    assert_eq!(told("pa", "lay-4", Aspect::CommissionOnWin), ["at most 5% of the win"]);
    assert_eq!(told("pa", "bonus-make-em-all", Aspect::Name), ["Make 'em All"]);
    assert_eq!(told("co-crapless", "fire", Aspect::Offer), ["not permitted"]);
    assert_eq!(told("pa", "any-seven", Aspect::Felt), ["Any Seven"]);
    assert_eq!(told("md", "horn-high-11", Aspect::Felt), ["Horn High Bet"]);
    assert!(told("pa", "craps-2", Aspect::Felt).is_empty() && told("nj", "any-seven", Aspect::Felt).is_empty());
}

#[test]
fn what_a_house_may_choose_is_written_in_words() {
    let mut sources = Library::shipped_sources();
    let mut add = |path: &str, text: &str| sources.push(Source { path: format!("zz/{path}"), text: text.to_owned() });
    add(
        "book.toml",
        "name = 'Elsewhere'\ntext = 'Its rules'\nprefix = 'NJ'\nbased_on = 'nj'\nsample_day = 2024-01-01\ngame = [{ is = 'craps', cite = 'NJ 1.2(a)' }]\n",
    );
    let kinds = [
        ("posting", "allow = 'any'\nkind = 'text'", "any"),
        (
            "table.length",
            "allow = 'topic'\nkind = 'length'\ntopic = 'fire.surveillance_points'\ngames = ['craps']\ndemanded = true",
            "at most 4 in; only at craps; demanded",
        ),
        (
            "layout.fire_spots",
            "allow = { at_most = '16' }\nkind = 'count'\nwith = 'fire.offered'\ndemanded = 'buy.offered'\napproved_by = 'Mayor'",
            "at most 16; only with fire.offered; demanded with buy.offered; approved by the Mayor",
        ),
        ("fire.table", "allow = 'listed_tables'\ndefault = 'A'", "a listed table; default A"),
        ("odds.k", "allow = 'odds'\ndefault = '2'", "a multiple within the odds rules; default 2"),
        ("higher_odds", "allow = 'prices'\ndefault = 'none'", "prices that the wager's own rule allows; default none"),
        ("vig.refund", "allow = { fixed = 'yes' }\ndefault = 'yes'", "only yes; default yes"),
        ("fire.offered", "allow = { one_of = ['yes', 'no'] }\ndefault = 'no'", "one of yes, no; default no"),
        ("chip", "allow = { at_least = '1' }\ndefault = '1'", "at least 1; default 1"),
        ("vig.rate", "allow = { between = ['0%', '5%'] }\ndefault = '5%'", "0% to 5%; default 5%"),
    ];
    let option =
        |(key, allow, _): &(&str, &str, &str)| format!("[[option]]\nkey = '{key}'\n{allow}\ncite = 'NJ 1.5(a)'\n");
    add("house.toml", &kinds.iter().map(option).collect::<String>());
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let book = library.book("zz").unwrap();
    for (key, _, expected) in kinds {
        assert_eq!(values(book, key, &Aspect::House), [expected]);
        assert_eq!(book.choice_for(key).unwrap().cites.to_string(), "NJ 1.5(a)", "{key}");
    }
    assert!(book.choice_for("limits.line.min").is_some(), "one record is for the whole group of limits");
    assert_eq!(book.choice_for("no.such.key"), None);
}

#[test]
fn a_wager_is_listed_from_the_day_on_which_it_may_be_offered() {
    let library = Library::shipped();
    let has = |book: &str, slug: &str, on: Option<Day>| {
        library.book(book).unwrap().wagers_on(on).any(|law| law.wager.wager().slug == slug)
    };
    let co = ["2017-12-14", "2017-12-15"].map(|on| (has("co", "over-7", day(on)), has("co", "pass", day(on))));
    assert_eq!(co, [(false, true), (true, true)]);
    let pa = ["2012-05-18", "2012-05-19"].map(|on| has("pa", "pass", day(on)));
    assert_eq!(pa, [false, true], "a book has no wagers before it is in force");
    assert!(has("co", "over-7", None) && has("pa", "pass", None) && has("pa", "hot-roller", None));
    assert!(!has("pa", "hot-roller", day("2024-09-04")));
}

/// What the lines of a book say, by subject and aspect. Days matter if `dated`.
type Said = BTreeMap<(String, Aspect), Vec<(String, Option<String>)>>;

fn said(book: &RuleBook, on: Option<Day>, dated: bool) -> Said {
    let mut all = Said::new();
    for line in book.lines(on).into_iter().filter(|line| !matches!(line.aspect, Aspect::Amended(_))) {
        let value = (line.value, dated.then(|| line.days.to_string()));
        all.entry((line.subject, line.aspect)).or_default().push(value);
    }
    all
}

/// Compares the rows of `diff` with the lines of both books.
fn check_diff(left: &RuleBook, right: &RuleBook, on: [Option<Day>; 2]) {
    let dated = on == [None, None];
    let rows: Vec<Difference> = diff((left, on[0]), (right, on[1]));
    let sides = [said(left, on[0], dated), said(right, on[1], dated)];
    let slugs = |book: &RuleBook, on| book.wagers_on(on).map(|law| law.wager.wager().slug).collect::<BTreeSet<_>>();
    let offered = [slugs(left, on[0]), slugs(right, on[1])];
    let known: BTreeSet<&str> = craps_wagers::Catalogue::built_in().all().map(|id| id.wager().slug).collect();
    let one_sided = |subject: &str| known.contains(subject) && offered.iter().any(|offered| !offered.contains(subject));
    let mut expected: BTreeSet<(String, Aspect)> = BTreeSet::new();
    for key in sides[0].keys().chain(sides[1].keys()) {
        if sides[0].get(key) != sides[1].get(key) && (!one_sided(&key.0) || key.1 == Aspect::Offer) {
            expected.insert(key.clone());
        }
    }
    let mut found: BTreeSet<(String, Aspect)> = BTreeSet::new();
    for row in &rows {
        for subject in &row.subjects {
            let key = (subject.clone(), row.aspect.clone());
            for (at, side) in [&row.left, &row.right].into_iter().enumerate() {
                let shown: Vec<_> =
                    side.iter().map(|(value, _, days)| (value.clone(), dated.then(|| days.to_string()))).collect();
                match sides[at].get(&key) {
                    Some(values) => assert_eq!(shown, *values, "{key:?}"),
                    None if one_sided(subject) => assert_eq!(shown[0].0, "not a listed wager", "{key:?}"),
                    None => assert_eq!(shown, [], "{key:?}"),
                }
            }
            assert!(found.insert(key), "{row:?} is there twice");
        }
    }
    assert_eq!(found, expected, "{} and {}", left.id, right.id);
}

#[test]
fn a_diff_has_every_fact_that_differs_and_no_other() {
    let library = Library::shipped();
    for left in &library.books {
        for right in &library.books {
            check_diff(left, right, [None, None]);
            check_diff(left, right, [day("2024-01-01"), day("2016-01-01")]);
            check_diff(left, right, [day("2024-01-01"), None]);
            check_diff(left, right, [None, day("2024-01-01")]);
        }
    }
    let (nj, pa) = (library.book("nj").unwrap(), library.book("pa").unwrap());
    let rows = diff((nj, None), (pa, None));
    let only = rows.iter().find(|row| row.subjects.contains(&"hot-roller".to_owned())).unwrap();
    assert_eq!(only.aspect, Aspect::Offer);
    assert_eq!(only.left[0].0, "not a listed wager");
    assert_eq!(only.left[0].1, nj.listed.cites, "the rule that only listed wagers may be taken decides it");
    assert_eq!((only.left.len(), only.right.len()), (1, 1));
}

#[test]
fn days_of_a_fact_are_compared_only_when_no_day_is_given() {
    let from = "make  = { is = \"before_come_out\", cite = \"NJ 1.2(a)1\"";
    let sources = replaced("nj/wagers/line.toml", from, &format!("{from}, from = 1990-01-01"));
    let changed = Library::load(&sources).unwrap();
    let (before, after) = (Library::shipped(), changed.book("nj").unwrap());
    let before = before.book("nj").unwrap();
    let count = |left: Option<Day>, right: Option<Day>| diff((before, left), (after, right)).len();
    let on = day("2024-01-01");
    assert_eq!([count(None, None), count(on, None), count(None, on), count(on, on)], [1, 0, 0, 0]);
}

fn offering(library: &Library, book: &str, name: &str) -> Offering {
    library.book(book).unwrap().offering(name, None).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_price_has_the_name_the_table_and_the_words_of_its_book() {
    let library = Library::shipped();
    let told = |book: &str, name: &str| {
        let offering = offering(&library, book, name);
        assert_eq!(offering.name(), name);
        (offering.table().map(str::to_owned), offering.pays())
    };
    let paid = |text: &str| Some(text.to_owned());
    assert_eq!(told("nj", "place-win-6"), (None, paid("7 to 6")));
    assert_eq!(told("nj", "pass-odds-4"), (None, paid("2 to 1")));
    assert_eq!(told("nj", "horn"), (None, None), "a composite is paid by its parts");
    let fire = told("co", "fire");
    assert_eq!(fire.0.as_deref(), Some("FB-1"));
    let pa = library.book("pa").unwrap();
    for raised in pa.offerings(None).iter().filter(|offering| offering.modifier.is_some()) {
        assert_eq!(raised.pays(), None, "{}: a raised price is on the list of the feature", raised.name());
    }
    let numbers: Vec<String> = pa
        .offerings(day("2020-01-01"))
        .iter()
        .filter(|offering| offering.wager.wager().slug == "pass-odds")
        .map(Offering::name)
        .collect();
    assert_eq!(numbers, ["4", "5", "6", "8", "9", "10"].map(|number| format!("pass-odds-{number}")));
}

#[test]
fn prices_are_those_of_the_day() {
    let library = Library::shipped();
    for book in &library.books {
        let all = book.offerings(None);
        for on in book.turns().into_iter().map(Some) {
            let expected = all.iter().filter(|offering| offering.days.hold(on)).count();
            let found = book.offerings(on);
            assert!(found.iter().all(|offering| offering.days.hold(on)), "{}", book.id);
            assert_eq!(found.len(), expected, "{}", book.id);
        }
    }
}

#[test]
fn an_unknown_price_names_the_closest_ones() {
    let library = Library::shipped();
    let error = |name: &str| library.book("nj").unwrap().offering(name, None).unwrap_err().to_string();
    assert_eq!(error("pass-odd-4"), "nj has no `pass-odd-4`: did you mean pass-odds-4?");
    assert_eq!(error("place-win-7"), "nj has no `place-win-7`: did you mean place-win-4, place-win-5, place-win-6?");
    assert_eq!(error("roulette"), "nj has no `roulette`");
}

#[test]
fn a_price_lists_each_reading_that_it_depends_on_once() {
    let library = Library::shipped();
    let read = |book: &str, is_it: &dyn Fn(&Offering) -> bool| -> Vec<Vec<String>> {
        let book = library.book(book).unwrap();
        let found: Vec<Offering> = book.offerings(None).into_iter().filter(is_it).collect();
        found.iter().map(|offering| book.readings_of(offering)).collect()
    };
    let named = |slug: &'static str| move |offering: &Offering| offering.wager.wager().slug == slug;
    assert_eq!(read("nj", &named("place-win-6")), [[""; 0]]);
    // Commission up front, then on wins.
    assert_eq!(read("nj", &named("buy-4")), [vec![], vec!["S-03"]]);
    assert_eq!(read("md", &named("whirl"))[0], ["A-51"]);
    assert_eq!(read("nj-automated", &named("field"))[0], ["A-91"]);
    let lucky = read("pa", &named("lucky-shooter"));
    assert!(lucky.len() >= 3 && lucky.iter().all(|readings| *readings == ["A-17"]), "{lucky:?}");
}

#[test]
fn a_reading_of_one_pay_table_belongs_to_that_table_alone() {
    let sources = replaced("nj/wagers/shooter.toml", "table = \"B\"", "table = \"B\"\nreading = \"A-05\"");
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let nj = library.book("nj").unwrap();
    let fire = nj.offerings(None).into_iter().filter(|offering| offering.wager.wager().slug == "fire");
    let read: Vec<_> = fire.map(|offering| (offering.table().map(str::to_owned), nj.readings_of(&offering))).collect();
    assert_eq!(read, [(Some("A".to_owned()), vec![]), (Some("B".to_owned()), vec!["A-05".to_owned()])]);
}

#[test]
fn every_bet_of_a_crapless_table_uses_its_points() {
    let library = Library::shipped();
    for book in &library.books {
        let expected = if book.id == "co-crapless" { Points::AllButSeven } else { Points::Box };
        assert_eq!(book.points(), expected, "{}", book.id);
        for law in book.wagers.values() {
            assert_eq!(book.dials(law).points, expected, "{} {}", book.id, law.wager);
        }
    }
}

#[test]
fn only_the_pass_bet_says_which_totals_are_points() {
    let withdrawn = "withdraws = [{ ids = ['pass', 'pass-odds'], cite = 'CO 30-2399.03' },";
    let sources = replaced("co-crapless/book.toml", "withdraws = [", withdrawn);
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{}", errors[0]));
    assert_eq!(library.book("co-crapless").unwrap().points(), Points::Box, "not the come bet");
}

#[test]
fn payouts_in_short_are_the_odds_or_the_highest() {
    let prize = |text: &str| Prize::Paid(text.parse().unwrap());
    let short = |prizes: &[Prize]| Prize::in_short(prizes.iter().copied());
    assert_eq!(short(&[]), None);
    assert_eq!(short(&[Prize::Push]), None);
    assert_eq!(short(&[prize("7 to 6"), prize("7 to 6")]).as_deref(), Some("7 to 6"));
    assert_eq!(short(&[prize("1 to 1"), prize("3 to 1"), prize("2 to 1")]).as_deref(), Some("≤ 3 to 1"));
}

#[test]
fn a_section_shows_its_parts_and_a_paragraph_only_its_own() {
    let library = Library::shipped();
    let pa = library.book("pa").unwrap();
    let parts = |asked: &str| match pa.show(asked, None) {
        Ok(Shown::Section(view)) => view.parts.into_iter().map(|part| part.cite).collect::<Vec<_>>(),
        other => panic!("{asked}: {other:?}"),
    };
    let whole = parts("623a.3");
    assert!(whole.len() > 43 && whole.iter().any(|cite| !cite.starts_with("PA 623a.3(a)")), "{whole:?}");
    assert_eq!(parts("PA 623a.3"), whole);
    assert_eq!(parts("623a.3(a)(19)").first().map(String::as_str), Some("PA 623a.3(a)"));
    assert!(parts("623a.3(a)(19)").iter().all(|cite| ["PA 623a.3(a)", "PA 623a.3(a)(19)"].contains(&cite.as_str())));
}

#[test]
fn a_book_s_contents_are_its_sections_and_its_wagers_have_their_own_facts() {
    for book in Library::shipped().books {
        let cites: Vec<String> = book.contents(None).into_iter().map(|section| section.cite).collect();
        let listed: Vec<String> = book.sections.iter().map(|section| section.cite.clone()).collect();
        assert_eq!(cites, listed);
        let wagers = book.wagers_view();
        assert_eq!(wagers.len(), book.wagers.len());
        for wager in wagers {
            assert!(wager.facts.len() >= 6, "{}", wager.wager);
            assert!(wager.facts.iter().all(|fact| fact.subject == wager.wager), "{}", wager.wager);
        }
    }
}

/// The names that a New Jersey table says, for each wager, after texts of the book were replaced.
fn own_names(changes: &[(&str, &str, &str)]) -> impl Fn(&str) -> Option<String> + use<> {
    let mut sources = Library::shipped_sources();
    for (path, from, to) in changes {
        let file = sources.iter_mut().find(|source| source.path == *path).unwrap();
        assert!(file.text.contains(from), "{path} has no {from}");
        file.text = file.text.replacen(from, to, 1);
    }
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let book = library.book("nj").unwrap();
    let rules = book.admit(&HouseRules::plain("nj", book.sample_day)).unwrap();
    move |slug| rules.own_name(rules.wagers.iter().find(|rules| rules.wager.wager().slug == slug).unwrap())
}

#[test]
fn a_wager_has_its_book_s_name_with_its_number_where_names_repeat() {
    let name = own_names(&[]);
    assert_eq!(name("pass").as_deref(), Some("Pass Bet"));
    assert_eq!(name("place-win-6").as_deref(), Some("Place Bet 6 to Win"));
    let win = ("nj/wagers/number.toml", "\"Place Bet {n} to Win\"", "\"Place Bet\"");
    let name = own_names(&[win]);
    assert_eq!(name("place-win-6").as_deref(), Some("Place Bet 6"));
    let lose = ("nj/wagers/number.toml", "\"Place Bet {n} to Lose\"", "\"Place Bet\"");
    let name = own_names(&[win, lose]);
    assert_eq!((name("place-win-6"), name("place-lose-6")), (None, None), "the number doesn't tell them apart");
    let line = ("nj/wagers/line.toml", "\"Pass Bet\"", "\"Place Bet\"");
    let name = own_names(&[win, line]);
    assert_eq!(name("pass"), None, "it has no number");
    assert_eq!(name("place-win-6").as_deref(), Some("Place Bet 6"));
}
