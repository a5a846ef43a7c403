//! One offline page of a motion: animation, plots, equations, reports, in one file that can be mailed and opened without a network.
//!
//! This room knows no mechanics: [`PageData`] says what is seen and what is plotted, [`html`] puts it beside the scripts; [`served_html`] lets
//! it hear from its server, and [`gallery_html`] leads to many of them. Those are
//! modules in `js/`, joined in a fixed order into one script, because browsers load no modules from files. A content security policy
//! allows that script and that style sheet by their hashes and nothing else: no request, no other script, whatever a model is called.

mod base64;
mod data;
mod document;
mod gallery;
mod packed;
mod script;
mod sha256;

pub use data::{
    Arrow, ArrowKind, Camera, Column, Figure, Form, Happened, Live, PageData, Placed, Pose,
    Quantity, Scene, Section, Series, Shape, Slider, Symbol, UnitTable,
};
pub use document::{html, json, served_html, waiting_html};
pub use gallery::{Card, Sketch, gallery_html};
pub use packed::packed_size;
pub use script::{MODULES, SERVED, SIMULATOR, gallery_modules, script, simulator};
