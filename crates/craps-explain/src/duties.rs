//! The duties of a house and its crew: what a book asks of people, where software can only remind them. The list is a document for the operator.

use craps_law::{HouseRules, Mark, Product, RuleBook};
use serde::Serialize;

/// One duty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Duty {
    /// Subject, such as `The dice`.
    pub subject: String,
    /// Name of the topic.
    pub topic: String,
    /// The question.
    pub asks: String,
    /// The book's answer, in words.
    pub answer: String,
    /// Sections that say so.
    pub cite: String,
    /// The document that states it: `duties`, or `layout` for what the drawn layout shows.
    pub paper: String,
}

/// Lists the duties of a house under its book. Duties about a product that the house doesn't offer are left out.
///
/// ```
/// use craps_law::{HouseRules, Library};
/// let library = Library::shipped();
/// let book = library.named("pa")?;
/// let plain = craps_explain::duties::of(book, &HouseRules::plain("pa", book.sample_day));
/// assert!(plain.iter().any(|duty| duty.topic == "dice.kept_in"));
/// assert!(plain.iter().all(|duty| !duty.topic.starts_with("fire.")));
/// # Ok::<(), craps_law::NoSuchBook>(())
/// ```
#[must_use]
pub fn of(book: &RuleBook, house: &HouseRules) -> Vec<Duty> {
    let offered = book.admit(house).map(|rules| {
        let own =
            rules.wagers.iter().filter_map(|wager| wager.offer.is.product()).map(|product| product.name().to_owned());
        own.chain(rules.modifiers.iter().map(|modifier| modifier.id.clone())).collect::<Vec<String>>()
    });
    let is_about_house = |topic: &str| {
        let product = Product::first_in(topic);
        let known = book.keys.products().iter().any(|known| known == product.name());
        !known || offered.as_ref().map_or(true, |offered| offered.iter().any(|name| name == product.name()))
    };
    let mut all = Vec::new();
    for (name, dated) in &book.rules {
        let (Some(topic), Some(rule)) = (book.topics.get(name), dated.on(Some(house.as_of))) else { continue };
        if topic.mark == Mark::Paper && is_about_house(name) {
            all.push(Duty {
                subject: topic.area.clone(),
                topic: name.clone(),
                asks: topic.asks.clone(),
                answer: rule.is.answer.to_string(),
                cite: rule.cites.to_string(),
                paper: topic.paper.clone().unwrap_or_default(),
            });
        }
    }
    all
}
