#![doc = include_str!("../README.md")]

pub mod agree;
pub mod generate;
mod houses;
pub mod model;
pub mod record;
pub mod worked;

pub use houses::{House, sample_houses, source_of};
