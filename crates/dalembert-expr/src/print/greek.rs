//! Greek letters under the names that LaTeX made common, and ℏ.
//!
//! A name stands for one shape in every notation: `phi` is φ and `varphi` ϕ, `epsilon` is ε and
//! `varepsilon` ϵ, as Unicode and Typst have it. LaTeX's own \phi and \epsilon are the other ones.

/// One letter in each notation.
pub(crate) struct Greek {
    /// Name in models: `theta`, `varphi`, `Omega`.
    pub(crate) name: &'static str,
    /// The letter itself.
    pub(super) letter: char,
    /// LaTeX command; letters that look Latin have none there.
    pub(super) latex: &'static str,
    /// Typst identifier.
    pub(super) typst: &'static str,
}

/// The letter called `name`, or that is `name`.
pub(crate) fn greek(name: &str) -> Option<&'static Greek> {
    let mut chars = name.chars();
    let single = chars.next().filter(|_| chars.next().is_none());
    TABLE
        .iter()
        .find(|greek| greek.name == name || single == Some(greek.letter))
}

const fn row(name: &'static str, letter: char, latex: &'static str, typst: &'static str) -> Greek {
    Greek {
        name,
        letter,
        latex,
        typst,
    }
}

const TABLE: &[Greek] = &[
    row("alpha", 'α', r"\alpha", "alpha"),
    row("beta", 'β', r"\beta", "beta"),
    row("gamma", 'γ', r"\gamma", "gamma"),
    row("delta", 'δ', r"\delta", "delta"),
    row("epsilon", 'ε', r"\varepsilon", "epsilon"),
    row("zeta", 'ζ', r"\zeta", "zeta"),
    row("eta", 'η', r"\eta", "eta"),
    row("theta", 'θ', r"\theta", "theta"),
    row("iota", 'ι', r"\iota", "iota"),
    row("kappa", 'κ', r"\kappa", "kappa"),
    row("lambda", 'λ', r"\lambda", "lambda"),
    row("mu", 'μ', r"\mu", "mu"),
    row("nu", 'ν', r"\nu", "nu"),
    row("xi", 'ξ', r"\xi", "xi"),
    row("omicron", 'ο', "o", "omicron"),
    row("pi", 'π', r"\pi", "pi"),
    row("rho", 'ρ', r"\rho", "rho"),
    row("sigma", 'σ', r"\sigma", "sigma"),
    row("tau", 'τ', r"\tau", "tau"),
    row("upsilon", 'υ', r"\upsilon", "upsilon"),
    row("phi", 'φ', r"\varphi", "phi"),
    row("chi", 'χ', r"\chi", "chi"),
    row("psi", 'ψ', r"\psi", "psi"),
    row("omega", 'ω', r"\omega", "omega"),
    row("varepsilon", 'ϵ', r"\epsilon", "epsilon.alt"),
    row("vartheta", 'ϑ', r"\vartheta", "theta.alt"),
    row("varkappa", 'ϰ', r"\varkappa", "kappa.alt"),
    row("varpi", 'ϖ', r"\varpi", "pi.alt"),
    row("varrho", 'ϱ', r"\varrho", "rho.alt"),
    row("varsigma", 'ς', r"\varsigma", "sigma.alt"),
    row("varphi", 'ϕ', r"\phi", "phi.alt"),
    row("hbar", 'ℏ', r"\hbar", "ℏ"),
    row("Alpha", 'Α', r"\mathrm{A}", "Alpha"),
    row("Beta", 'Β', r"\mathrm{B}", "Beta"),
    row("Gamma", 'Γ', r"\Gamma", "Gamma"),
    row("Delta", 'Δ', r"\Delta", "Delta"),
    row("Epsilon", 'Ε', r"\mathrm{E}", "Epsilon"),
    row("Zeta", 'Ζ', r"\mathrm{Z}", "Zeta"),
    row("Eta", 'Η', r"\mathrm{H}", "Eta"),
    row("Theta", 'Θ', r"\Theta", "Theta"),
    row("Iota", 'Ι', r"\mathrm{I}", "Iota"),
    row("Kappa", 'Κ', r"\mathrm{K}", "Kappa"),
    row("Lambda", 'Λ', r"\Lambda", "Lambda"),
    row("Mu", 'Μ', r"\mathrm{M}", "Mu"),
    row("Nu", 'Ν', r"\mathrm{N}", "Nu"),
    row("Xi", 'Ξ', r"\Xi", "Xi"),
    row("Omicron", 'Ο', r"\mathrm{O}", "Omicron"),
    row("Pi", 'Π', r"\Pi", "Pi"),
    row("Rho", 'Ρ', r"\mathrm{P}", "Rho"),
    row("Sigma", 'Σ', r"\Sigma", "Sigma"),
    row("Tau", 'Τ', r"\mathrm{T}", "Tau"),
    row("Upsilon", 'Υ', r"\Upsilon", "Upsilon"),
    row("Phi", 'Φ', r"\Phi", "Phi"),
    row("Chi", 'Χ', r"\mathrm{X}", "Chi"),
    row("Psi", 'Ψ', r"\Psi", "Psi"),
    row("Omega", 'Ω', r"\Omega", "Omega"),
];
