//! The tour in `examples/` does what the README says.

#[path = "../../../examples/tour.rs"]
mod tour;

#[test]
fn the_tour_computes_an_edge_plays_a_hand_and_runs_a_strategy() {
    let told = tour::tour().unwrap();
    assert_eq!(told[0], "place 6 in New Jersey: edge 1/66 = 1.515 %");
    assert!(told[1].contains("Place Bet"), "{told:#?}");
    assert!(told[1].contains("won 14: the 8 came before the seven"), "{told:#?}");
    assert!(told[2].contains("lost 10: the seven came before the 6"), "{told:#?}");
    assert!(told.last().unwrap().starts_with("pass-2x: chance of being ahead after 100 rolls: 0."), "{told:#?}");
}
