#![doc = include_str!("../README.md")]

mod face;
mod lay;
mod more;
mod path;
mod price;
mod svg;
mod template;
mod view;
mod words;

pub use lay::{NoPlace, Sign};
pub use template::Template;
pub use view::{
    Anchor, Area, Band, Crew, CrewPlace, Dice, Edge, End, Face, Fill, Ink, Layout, Mark, Marker, MarkerForm, Price,
    PuckPlace, Shape, Side, Spot, Stack, Station, Surface, Text, View,
};
pub use words::pays;
