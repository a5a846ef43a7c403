//! What is told of contacts after a run, besides what happened.

/// What should be known of the contacts of a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ContactNotes {
    /// The first impact in which several contacts came back at once that act on each other: when, and which. Other laws of impact say something else.
    pub several: Option<(f64, Vec<usize>)>,
    /// The first instant at which it was not shown that nothing else could happen.
    pub not_established: Option<f64>,
    /// Contacts whose impacts followed each other ever faster, and when they were over.
    pub rested: Vec<(usize, f64)>,
    /// The first event whose blow stopped what it strikes, and left nothing that holds it there: it goes on through, from when on.
    pub through: Option<(usize, f64)>,
}
