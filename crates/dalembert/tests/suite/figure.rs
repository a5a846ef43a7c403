//! Figures: what is in them, and that they are well-formed.

use dalembert::plot::{FigureOptions, PlotError, figure};
use dalembert::results::{Column, Table};
use roxmltree::Document;

fn table() -> Table {
    let t: Vec<f64> = (0..=20).map(|i| 0.25 * f64::from(i)).collect();
    let over = |f: fn(f64) -> f64| t.iter().map(|t| f(*t)).collect::<Vec<f64>>();
    let columns = vec![
        Column::new("t", Some("s"), t.clone()),
        Column::new("x", Some("m"), over(|t| t * t)),
        Column::new("theta", Some("rad"), over(|t| 1.0 - t)),
        Column::new("phi", Some("rad"), over(|t| 0.5 * t)),
        Column::new("x'", Some("m/s"), over(|t| 2.0 * t)),
        Column::new("theta'", Some("rad/s"), over(|_| -1.0)),
        Column::new("phi'", Some("rad/s"), over(|_| 0.5)),
        Column::new("energy", Some("kg*m^2/s^2"), over(|t| 3.0 + 1e-9 * t)),
    ];
    Table::new("Parabola & lines", columns).unwrap()
}

fn drawn(table: &Table, columns: &[&str]) -> String {
    figure(table, columns, &FigureOptions::default()).unwrap()
}

fn texts(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    let nodes = document.descendants().filter(|n| n.has_tag_name("text"));
    nodes.map(|n| n.text().unwrap().trim().to_owned()).collect()
}

/// The points of the lines that belong to data, by their colour.
fn data_lines(svg: &str) -> Vec<(String, Vec<(f64, f64)>)> {
    let document = Document::parse(svg).unwrap();
    let is_data = |color: &str| !["#555555", "#E4E4E4"].contains(&color);
    let lines = document.descendants().filter_map(|node| {
        let color = node.attribute("stroke").filter(|color| is_data(color))?;
        let number = |text: &str| text.parse::<f64>().unwrap();
        let points = node.attribute("points")?.split_whitespace().map(|pair| {
            let (x, y) = pair.split_once(',').unwrap();
            (number(x), number(y))
        });
        Some((color.to_owned(), points.collect()))
    });
    lines.collect()
}

#[test]
fn a_small_figure_is_drawn_as_ever() {
    let t = vec![0.0, 1.0, 2.0];
    let columns = vec![
        Column::new("t", Some("s"), t),
        Column::new("theta", Some("rad"), vec![-0.5, f64::NAN, 0.5]),
        Column::new("x", Some("m"), vec![0.0, 1.0, 4.0]),
        Column::new("y", Some("m"), vec![4.0, 1.0, 0.0]),
    ];
    let table = Table::new("small", columns).unwrap();
    insta::assert_snapshot!(drawn(&table, &[]));
}

#[test]
fn columns_of_one_unit_share_a_panel() {
    let svg = drawn(&table(), &["theta'", "theta", "phi'", "x", "phi"]);
    let texts = texts(&svg);
    for label in ["rad/s", "rad", "x (m)", "t (s)", "Parabola & lines"] {
        assert_eq!(
            texts.iter().filter(|t| *t == label).count(),
            1,
            "{label}: {texts:?}"
        );
    }
    // Names of the legend; x has a panel to itself, whose label names it.
    for name in ["θ'", "θ", "φ'", "φ"] {
        assert_eq!(
            texts.iter().filter(|t| *t == name).count(),
            1,
            "{name}: {texts:?}"
        );
    }
    assert!(!texts.contains(&"x".to_owned()));
    let position = |label: &str| texts.iter().position(|t| t == label);
    assert!(position("rad/s") < position("rad") && position("rad") < position("x (m)"));
}

#[test]
fn coordinates_are_drawn_if_nothing_is_named() {
    let all = texts(&drawn(&table(), &[]));
    for name in ["x (m)", "θ", "φ"] {
        assert!(all.contains(&name.to_owned()), "{name}: {all:?}");
    }
    assert!(
        !all.iter()
            .any(|text| text.contains('\'') || text.contains("energy"))
    );

    let t = Column::new("t", None, vec![0.0, 1.0]);
    let column = |name: String| Column::new(name, None, vec![0.0, 1.0]);
    let mut columns = vec![t.clone(), column("vel(disk).x".into())];
    columns.extend((0..12).map(|i| column(format!("q{i}"))));
    let many = texts(&drawn(&Table::new("", columns).unwrap(), &[]));
    assert_eq!(many.iter().filter(|text| text.starts_with('q')).count(), 8);
    assert!(!many.contains(&"vel(disk).x".to_owned()));

    let only = vec![t, column("vel(disk).x".into())];
    let only = texts(&drawn(&Table::new("", only).unwrap(), &[]));
    assert!(only.contains(&"vel(disk).x".to_owned()));
}

#[test]
fn points_are_where_the_data_are() {
    let svg = drawn(&table(), &["phi"]);
    let lines = data_lines(&svg);
    assert_eq!(lines.len(), 1);
    let points = &lines[0].1;
    assert_eq!(points.len(), 21);
    // A straight line upwards, and y grows downwards; to a tenth of a pixel.
    let (first, last) = (points[0], points[20]);
    for (i, point) in points.iter().enumerate() {
        let part = i as f64 / 20.0;
        assert!((point.0 - first.0 - part * (last.0 - first.0)).abs() <= 1.0);
        assert!((point.1 - first.1 - part * (last.1 - first.1)).abs() <= 1.0);
    }
    assert!(last.0 > first.0 + 5000.0 && last.1 < first.1 - 2000.0);
}

#[test]
fn an_energy_that_hardly_changes_is_readable() {
    let texts = texts(&drawn(&table(), &["energy"]));
    assert!(texts.contains(&"energy (kg·m²/s²)".to_owned()), "{texts:?}");
    assert!(texts.contains(&"×10⁻⁹ + 3".to_owned()), "{texts:?}");
}

#[test]
fn a_million_samples_make_a_small_figure_with_every_spike() {
    let n = 1_000_000;
    let t: Vec<f64> = (0..n).map(f64::from).collect();
    let mut x: Vec<f64> = t.iter().map(|t| (0.001 * t).sin()).collect();
    x[777_777] = 5.0;
    x[222_222] = -3.0;
    let columns = vec![Column::new("t", None, t), Column::new("x", None, x)];
    let svg = drawn(&Table::new("", columns).unwrap(), &[]);
    assert!(svg.len() < 100_000, "{} bytes", svg.len());
    let lines = data_lines(&svg);
    assert_eq!(lines.len(), 1);
    let heights = || lines[0].1.iter().map(|point| point.1);
    let (top, bottom) = (
        heights().fold(f64::MAX, f64::min),
        heights().fold(0.0, f64::max),
    );
    // The spikes alone reach 1/22 of the height from the edges, 3000 units apart with their margins.
    assert!((bottom - top - 3000.0 / 1.1).abs() < 2.0, "{top} {bottom}");
}

#[test]
fn gaps_constants_and_single_points_are_drawn() {
    let nan = f64::NAN;
    let columns = vec![
        Column::new("t", None, vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0]),
        Column::new(
            "gap",
            Some("a"),
            vec![1.0, 2.0, nan, 7.0, f64::INFINITY, 3.0],
        ),
        Column::new("constant", Some("b"), vec![2.5; 6]),
        Column::new("nothing", Some("c"), vec![nan; 6]),
        Column::new(
            "huge",
            Some("d"),
            vec![f64::MAX, -f64::MAX, 0.0, 1.0, f64::MIN, 3.0],
        ),
    ];
    let svg = drawn(
        &Table::new("", columns).unwrap(),
        &["gap", "constant", "nothing", "huge"],
    );
    let document = Document::parse(&svg).unwrap();
    let dots = document.descendants().filter(|n| n.has_tag_name("circle"));
    assert_eq!(dots.count(), 2);
    assert_eq!(data_lines(&svg).len(), 3);

    let one_row = vec![
        Column::new("t", None, vec![0.0]),
        Column::new("x", None, vec![1.0]),
    ];
    let svg = drawn(&Table::new("", one_row).unwrap(), &[]);
    assert!(svg.contains("<circle"));
}

#[test]
fn any_name_makes_a_well_formed_document() {
    let column = |name: &str, unit| Column::new(name, unit, vec![0.0, 1.0]);
    let columns = vec![
        column("<t> & \"t\"", Some("<s>")),
        column("\u{0}\u{1F}\n\t\u{FFFE}", Some("&")),
        column("]]>", Some("&")),
        column(&"very long name ".repeat(30), Some("u")),
        column(&"endless ".repeat(100_000), Some("u")),
        column("ψ̇ 🜨", None),
    ];
    let table = Table::new("</svg> & \u{8}", columns).unwrap();
    let svg = drawn(&table, &[]);
    assert!(texts(&svg).contains(&"]]>".to_owned()));
    for width in [0, 300, 5000] {
        let options = FigureOptions {
            width,
            panel_height: Some(width),
            ..FigureOptions::default()
        };
        Document::parse(&figure(&table, &[], &options).unwrap()).unwrap();
    }
}

#[test]
fn the_horizontal_axis_can_be_chosen() {
    let options = FigureOptions {
        x: Some("theta".to_owned()),
        title: Some("Phase portrait".to_owned()),
        ..FigureOptions::default()
    };
    let texts = texts(&figure(&table(), &["theta'"], &options).unwrap());
    for label in ["θ (rad)", "θ' (rad/s)", "Phase portrait"] {
        assert!(texts.contains(&label.to_owned()), "{texts:?}");
    }
}

#[test]
fn a_logarithmic_axis_needs_something_positive() {
    let options = FigureOptions {
        log_y: true,
        ..FigureOptions::default()
    };
    // x is zero at the start, which is a gap.
    let svg = figure(&table(), &["x"], &options).unwrap();
    assert_eq!(data_lines(&svg)[0].1.len(), 20);
    let error = figure(&table(), &["theta'", "x"], &options);
    assert!(error.is_err_and(|error| matches!(error, PlotError::NoPositive { .. })));
}

#[test]
fn what_cannot_be_drawn_is_said() {
    let message = |table: &Table, columns: &[&str], x: Option<&str>| {
        let options = FigureOptions {
            x: x.map(str::to_owned),
            ..FigureOptions::default()
        };
        figure(table, columns, &options).unwrap_err().to_string()
    };
    let expected = "no column 'thta'; there are t, x, theta, phi, x', theta', phi', energy";
    assert_eq!(message(&table(), &["theta", "thta"], None), expected);
    assert_eq!(message(&table(), &[], Some("thta")), expected);
    let empty = Table::new("", vec![Column::new("t", None, vec![1.0])]).unwrap();
    assert_eq!(message(&empty, &[], None), "the table has nothing to draw");
}

#[test]
fn the_same_table_gives_the_same_figure() {
    assert_eq!(
        drawn(&table(), &["x", "theta"]),
        drawn(&table(), &["x", "theta"])
    );
}

/// A circle is drawn as one: y over x has one scale on both axes, with units or by the names of components; over time it has not.
#[test]
fn a_curve_in_space_has_one_scale() {
    let angles = || (0..=100).map(|i| 0.0628 * f64::from(i));
    let circle = |unit: Option<&str>, names: [&str; 2]| {
        let columns = vec![
            Column::new("t", Some("s"), angles().collect()),
            Column::new(names[0], unit, angles().map(|a| 2.0 * a.cos()).collect()),
            Column::new(names[1], unit, angles().map(|a| 2.0 * a.sin()).collect()),
        ];
        Table::new("", columns).unwrap()
    };
    let extent = |table: &Table, x: Option<&str>, y: &str| {
        let options = FigureOptions {
            x: x.map(str::to_owned),
            ..FigureOptions::default()
        };
        let points = &data_lines(&figure(table, &[y], &options).unwrap())[0].1;
        let range = |of: fn(&(f64, f64)) -> f64| {
            let values = || points.iter().map(of);
            values().fold(f64::MIN, f64::max) - values().fold(f64::MAX, f64::min)
        };
        range(|p| p.0) / range(|p| p.1)
    };
    for (unit, names) in [
        (Some("m"), ["a", "b"]),
        (None, ["x1", "y1"]),
        (None, ["pos(P).x", "pos(P).y"]),
    ] {
        let ratio = extent(&circle(unit, names), Some(names[0]), names[1]);
        assert!((ratio - 1.0).abs() < 0.01, "{names:?}: {ratio}");
    }
    assert!(extent(&circle(None, ["a", "b"]), Some("a"), "b") > 1.5);
    assert!(extent(&circle(Some("m"), ["x", "y"]), None, "y") > 1.5);
}
