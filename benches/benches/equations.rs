//! From model text to printed equations: a rolling disk, a ten-link pendulum, a chain of five links in relative angles.
#![expect(clippy::print_stdout, reason = "a bench reports")]

use dalembert::derive::{DeriveOptions, Form, Style, derive};
use dalembert::mechanics::{Mechanism, model};
use dalembert_benches::{Clock, milliseconds};
use std::fmt::Write;

/// A planar chain of links with point masses at their ends; angles relative to the link before, or absolute.
fn chain(links: usize, relative: bool) -> String {
    let mut text =
        String::from("dalembert = 1\ngravity = \"[0, -g, 0]\"\n[parameters]\ng = 9.81\n");
    let line =
        |text: &mut String, line: String| writeln!(text, "{line}").expect("a text takes all");
    for i in 1..=links {
        line(&mut text, format!("m{i} = 1\nl{i} = 1"));
    }
    text += "[coordinates]\n";
    for i in 1..=links {
        line(&mut text, format!("q{i} = 0.1"));
    }
    let (mut x, mut y) = (String::from("0"), String::from("0"));
    for i in 1..=links {
        let first = if relative { 1 } else { i };
        let angle: Vec<String> = (first..=i).map(|k| format!("q{k}")).collect();
        let angle = angle.join(" + ");
        x += &format!(" + l{i}*sin({angle})");
        y += &format!(" - l{i}*cos({angle})");
        let position = format!("position = \"[{x}, {y}, 0]\"");
        line(
            &mut text,
            format!("[particle.p{i}]\nmass = \"m{i}\"\n{position}"),
        );
    }
    text
}

fn main() {
    let clock = Clock::from_arguments();
    let disk = include_str!("../../examples/rolling-disk.toml").to_owned();
    let cases = [
        ("rolling disk", disk.clone(), None),
        ("rolling disk, independent", disk, Some(Form::Independent)),
        ("ten-link pendulum", chain(10, false), None),
        ("five links, relative angles", chain(5, true), None),
    ];
    println!(
        "{:<28} {:>10} {:>12}",
        "text to equations", "ms", "LaTeX chars"
    );
    for (name, text, form) in cases {
        let options = DeriveOptions {
            form,
            ..DeriveOptions::default()
        };
        let work = || {
            let (model, _) = model::read(&text).expect("the model is right");
            let mechanism = Mechanism::new(model).expect("the model has a meaning");
            let found = derive(&mechanism, &options).expect("it has equations");
            (found.page(Style::Text), found.latex_length())
        };
        let (_, length) = work();
        let time = milliseconds(clock.least(work));
        println!("{name:<28} {time:>10.2} {length:>12}");
    }
}
