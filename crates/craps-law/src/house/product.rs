//! Products: wagers that a house may choose to offer together.

use std::fmt;

/// A product that a house may choose to offer, such as `fire`. Its house keys and topics begin with its name.
///
/// ```
/// use craps_law::Product;
/// let fire = Product::offered_by("fire.offered").unwrap();
/// assert_eq!((fire.name(), fire.offered_key(), fire.table_key()), ("fire", "fire.offered".into(), "fire.table".into()));
/// assert!(Product::offered_by("fire.table").is_none());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Product<'a>(&'a str);

const OFFERED: &str = ".offered";
const TABLE: &str = ".table";

impl<'a> Product<'a> {
    /// The product with this name.
    #[must_use]
    pub const fn named(name: &'a str) -> Product<'a> {
        Product(name)
    }

    /// Returns the product that a key offers. None if the key doesn't offer a product.
    #[must_use]
    pub fn offered_by(key: &'a str) -> Option<Product<'a>> {
        key.strip_suffix(OFFERED).map(Product)
    }

    /// Returns the product whose pay table a key chooses. None if the key doesn't choose one.
    #[must_use]
    pub fn tabled_by(key: &'a str) -> Option<Product<'a>> {
        key.strip_suffix(TABLE).map(Product)
    }

    /// Returns the product whose name is the first part of a key.
    #[must_use]
    pub fn first_in(key: &'a str) -> Product<'a> {
        Product(key.split('.').next().unwrap_or_default())
    }

    /// Returns the name of the product.
    #[must_use]
    pub const fn name(self) -> &'a str {
        self.0
    }

    /// Returns the key that offers the product.
    #[must_use]
    pub fn offered_key(self) -> String {
        format!("{}{OFFERED}", self.0)
    }

    /// Returns the key that chooses the product's pay table.
    #[must_use]
    pub fn table_key(self) -> String {
        format!("{}{TABLE}", self.0)
    }

    /// Returns a topic about the product: topic `spoken` of `fire` is `fire.spoken`.
    #[must_use]
    pub fn topic(self, topic: &str) -> String {
        format!("{}.{topic}", self.0)
    }
}

impl fmt::Display for Product<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
