//! `check`, `fill` and `why` on files and pipes, with refusals and mistakes.

use crate::support::{boxperson, boxperson_with_input, golden};

fn fill(rules: &str, house: &str, lines: &str) -> (String, String) {
    let text = format!("[CGN \"1\"] [Rules \"{rules}\"] [House \"{house}\"] [Seats \"1 Ann 500; 2 Bo 500\"]\n{lines}");
    let run = boxperson_with_input(&["fill", "-"], &text);
    assert_eq!(run.code, 0, "{}", run.err);
    (run.out, run.err)
}

#[test]
fn refusals_are_marked_in_the_game_and_cited_beside_it() {
    let rows = [
        ("nj as-of 2024-01-01", "", "1. 1:P+10 1:PL6+7 | 4-5 |", "1:PL6+7!refused", "can't be paid evenly"),
        ("pa as-of 2023-10-01", "", "1. 1:P+10 | 4-5 |\n2. 1:P-10 | 1-1 |", "1:P-10!refused", "[PA 623a.4(c)(1)]"),
        (
            "md as-of 2024-01-01",
            "fire.table=A",
            "1. 1:P+10 | 4-5 |\n2. 1:FIRE+5 | 1-1 |",
            "1:FIRE+5!refused",
            "MD Ch.3 §A(40)",
        ),
        (
            "pa as-of 2023-10-01",
            "odds.k=2",
            "1. 1:P+10 | 2-2 |\n2. 1:PO+30 | 1-1 |",
            "1:PO+30!refused",
            "Maximum on Pass Odds is $20 now. [house rule odds.k]",
        ),
        (
            "pa as-of 2023-10-01",
            "",
            "1. 1:P+10 2:F+5!late(dealer,box) | 4-5 |",
            "2:F+5!late(dealer,box)!refused",
            "[PA 623a.4(a)]",
        ),
        (
            "nj as-of 2024-01-01",
            "",
            "1. 1:P+10 2:F+5!late(dealer) | 4-5 |",
            "2:F+5!late(dealer)!refused",
            "A late bet needs the dealer and the boxperson to confirm it. [NJ 1.3(a)1, NJ 1.3(a)2]",
        ),
        ("co-crapless as-of 2021-06-01", "", "1. 1:P+10 2:DP+5 | 4-5 |", "2:DP+5!refused", "CO 30-2304"),
        ("md as-of 2024-01-01", "", "1. | 4-5 |", "4-5!refused", "[MD Ch.8 §A]"),
    ];
    for (rules, house, lines, marked, cited) in rows {
        let (out, err) = fill(rules, house, lines);
        assert!(out.contains(marked), "{lines}: {out}");
        assert!(err.contains(cited), "{lines}: {err}");
    }
    let (late, _) = fill("nj as-of 2024-01-01", "", "1. 1:P+10 2:F+5!late(dealer,box) | 4-5 |");
    assert!(late.contains("2:F+5!late(dealer,box) | 4-5^ | 2:F=w5"), "{late}");
    let (rounded, _) = fill("co as-of 2021-06-01", "", "1. 1:P+10 1:PL6+7 | 4-5 |\n2. | 4-2 |");
    assert!(rounded.contains("1:PL6=w9"), "{rounded}");
}

#[test]
fn a_difference_is_a_line_with_its_place_and_exit_code_one() {
    let text = "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 500\"]\n1. 1:P+10 1:F+5 | 6-6 | 1:F=w5\n# end 1:500\n";
    let run = boxperson_with_input(&["check", "-"], text);
    assert_eq!(run.code, 1);
    golden("check-differences.txt", &run.out);
    let json = boxperson_with_input(&["check", "-", "--format", "json"], text);
    let value: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(value["differences"][0]["expected"], "6-6~");
    assert_eq!(value["differences"][0]["roll"], 1);
}

#[test]
fn mistakes_in_a_game_are_told_with_line_and_column() {
    let rows = [
        ("1. 1:P+10 1:ZZ+5 | 4-5 |", "standard input:2:13: there is no bet `ZZ`"),
        ("1. 1:P+10 | 4-7 |", "standard input:2:13: expected two dice such as 4-2"),
        ("2. 1:P+10 | 4-5 |", "standard input:2:1: expected roll 1, found 2"),
        ("1. 1:P+0 | 4-5 |", "standard input:2:8: expected an amount above zero"),
        ("1. 1:P*10 | 4-5 |", "standard input:2:7: expected an operation such as +10, -10 or !off, found `*`"),
        ("@box dance", "no such procedure"),
        ("# finish", "expected `shooter`, `end` or `open`"),
    ];
    for (line, expected) in rows {
        let text = format!("[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 500\"]\n{line}\n");
        for command in ["check", "fill"] {
            let run = boxperson_with_input(&[command, "-"], &text);
            assert_eq!((run.code, run.out.as_str()), (2, ""), "{line}: {}", run.err);
            assert!(run.err.contains(expected), "{line}: {}", run.err);
        }
    }
    let unlawful = boxperson_with_input(
        &["check", "-"],
        "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [House \"odds.k=20\"] [Seats \"1 Ann 500\"]\n1. 1:P+10 | 4-5 |\n",
    );
    assert_eq!(unlawful.code, 1);
    assert!(
        unlawful.out.contains("odds of at most 10x may be allowed") && unlawful.out.contains("[PA 623a.6(e)]"),
        "{}",
        unlawful.out
    );
    let unknown = boxperson_with_input(
        &["check", "-"],
        "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [House \"odds.q=2\"] [Seats \"1 Ann 500\"]\n1. 1:P+10 | 4-5 |\n",
    );
    assert!(unknown.code == 2 && unknown.err.contains("did you mean `odds.k`?"), "{}", unknown.err);
}

#[test]
fn why_explains_a_result_with_law_rule_and_sum() {
    let text = "[CGN \"1\"] [Rules \"co as-of 2021-06-01\"] [House \"offer=buy; vig.buy.timing=on_win\"] [Seats \"1 Ann 500\"]\n1. 1:P+10 1:BY4+20 1:PL6+7 | 4-5 |\n2. 1:C+10 | 4-2 |\n3. | 3-1 |\n4. | 4-3 |\n";
    let mut all = String::new();
    for roll in ["2", "3.1", "4"] {
        let run = boxperson_with_input(&["why", "-", roll], text);
        assert_eq!(run.code, 0, "{}", run.err);
        all.push_str(&format!("== {roll}\n{}", run.out));
    }
    golden("why.txt", &all);
    for (roll, expected) in
        [("9", "there is no roll 9"), ("2.9", "roll 2 has"), ("x", "expected a roll such as 3 or 3.2")]
    {
        let run = boxperson_with_input(&["why", "-", roll], text);
        assert!(run.code == 2 && run.err.contains(expected), "{roll}: {}", run.err);
    }
}

#[test]
fn a_changed_price_in_a_copied_book_shows_in_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("nj");
    for entry in [
        "book.toml",
        "sections.toml",
        "readings.toml",
        "house.toml",
        "procedure.toml",
        "wagers/line.toml",
        "wagers/number.toml",
        "wagers/hardway.toml",
        "wagers/one_roll.toml",
        "wagers/hop.toml",
        "wagers/shooter.toml",
    ] {
        let target = copy.join(entry);
        std::fs::create_dir_all(target.parent().unwrap()).unwrap();
        let text = std::fs::read_to_string(crate::support::root().join("rulebooks/nj").join(entry)).unwrap();
        std::fs::write(
            target,
            if entry == "wagers/hardway.toml" { text.replacen("9 to 1", "10 to 1", 1) } else { text },
        )
        .unwrap();
    }
    let text =
        "[CGN \"1\"] [Rules \"nj as-of 2024-01-01\"] [Seats \"1 Ann 500\"]\n1. 1:P+10 1:H6+5 | 4-5 |\n2. | 3-3 |\n";
    let run = boxperson_with_input(&["fill", "-", "--rulebooks", folder.path().to_str().unwrap()], text);
    assert!(run.out.contains("1:H6=w50"), "{}{}", run.out, run.err);
    assert!(boxperson(&["check", "rulebooks/nj/vectors/1.2.cgn"]).code == 0);
    assert_eq!(
        boxperson(&[
            "check",
            "rulebooks/nj/vectors/1.2.cgn",
            "rulebooks/nj/vectors/1.4.cgn",
            "--rulebooks",
            folder.path().to_str().unwrap()
        ])
        .code,
        1
    );
}
