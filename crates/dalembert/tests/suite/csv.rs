//! Tables as CSV: round trips, quoting, and mistakes with their places.

use super::{assert_same_columns, assert_same_description, hard_table};
use dalembert::results::{Column, CsvHead, CsvMistake, Table};

fn written(table: &Table, head: CsvHead) -> String {
    let mut bytes = Vec::new();
    table.write_csv(&mut bytes, head).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn bits_survive() {
    let table = hard_table();
    let back = Table::from_csv(written(&table, CsvHead::Names).as_bytes()).unwrap();
    assert_same_columns(&table, &back);
    assert!(back.columns().iter().all(|column| column.unit.is_none()));
}

#[test]
fn a_head_with_metadata_keeps_the_description() {
    let table = hard_table();
    let text = written(&table, CsvHead::Metadata);
    let back = Table::from_csv(text.as_bytes()).unwrap();
    assert_same_columns(&table, &back);
    assert_same_description(&table, &back);
    let (comment, rest) = text.split_once('\n').unwrap();
    assert!(comment.starts_with("# {\"dalembert.title\":"), "{comment}");
    assert_eq!(rest, written(&table, CsvHead::Names));
}

#[test]
fn numbers_are_short_and_never_look_like_integers() {
    let values = vec![
        0.0,
        -0.0,
        1.0,
        0.1,
        1e-7,
        1e22,
        123456.75,
        f64::NAN,
        f64::NEG_INFINITY,
    ];
    let table = Table::new("", vec![Column::new("t", None, values)]).unwrap();
    assert_eq!(
        written(&table, CsvHead::Names),
        "t\n0.0\n-0.0\n1.0\n0.1\n1e-7\n1e22\n123456.75\nNaN\n-inf\n"
    );
}

#[test]
fn names_are_quoted_only_where_they_must_be() {
    let names = [
        "t",
        "theta'",
        "vel(disk).x",
        "a,b",
        "say \"x\"",
        "",
        "nan",
        "#",
        "é",
    ];
    let columns = names.map(|name| Column::new(name, None, vec![]));
    let table = Table::new("", columns.into()).unwrap();
    assert_eq!(
        written(&table, CsvHead::Names),
        "t,theta',vel(disk).x,\"a,b\",\"say \"\"x\"\"\",\"\",\"nan\",\"#\",é\n"
    );
}

#[test]
fn files_by_others_are_read() {
    let text = "\u{FEFF}# a remark\r\n# {\"dalembert.units\": {\"x\": \"m\"}, \"run\": 3}\r\n\
                t, x ,\"y, or z\"\r\n\r\n 0 , NaN,\"1.5\"\r\n1,,-Infinity\r\n\r\n2,+3.e0,.5";
    let table = Table::from_csv(text.as_bytes()).unwrap();
    let columns = table.columns();
    let names: Vec<&str> = columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["t", "x", "y, or z"]);
    assert_eq!(table.rows(), 3);
    let x = table.column("x").unwrap();
    assert_eq!(x.unit.as_deref(), Some("m"));
    assert!(x.values[0].is_nan() && x.values[1].is_nan());
    assert_eq!(x.values[2].to_bits(), 3f64.to_bits());
    let last = table.column("y, or z").unwrap().values;
    assert_eq!(format!("{last:?}"), "[1.5, -inf, 0.5]");
    assert_eq!(table.metadata(), [("run".to_owned(), "3".to_owned())]);
}

#[test]
fn mistakes_have_their_place() {
    let message = |text: &str| Table::from_csv(text.as_bytes()).unwrap_err().to_string();
    assert_eq!(message(""), "1:1: no line with column names");
    assert_eq!(message("# only this\n\n"), "3:1: no line with column names");
    assert_eq!(
        message("t,θ\n0,1\n0.5,two\n"),
        "3:5: 'two' in column 'θ' is not a number"
    );
    assert_eq!(
        message("\"θ\"\"\n\",x\r\n0,1\r\n0,1e\r\n"),
        "4:3: '1e' in column 'x' is not a number"
    );
    assert_eq!(message("t,x\n0,1\n2\n"), "3:1: 1 fields, but 2 columns");
    assert_eq!(message("t,x\n0,1,\n"), "2:1: 3 fields, but 2 columns");
    assert_eq!(message("t,x\n0,\"1\n2,3\n"), "2:3: quote is not closed");
    assert_eq!(message("t,\"x\" m\n"), "1:6: text after the closing quote");
    assert_eq!(message("t,θ,t\n0,1,2\n"), "1:5: two columns are called 't'");
    assert_eq!(
        message("0,1\n1,2\n"),
        "1:1: numbers where the column names should be"
    );
    let error = Table::from_csv(b"t,x\n0,\xFF\n").unwrap_err();
    assert_eq!((error.line, error.column), (2, 3));
    assert_eq!(error.mistake, CsvMistake::NotUtf8);
}

#[test]
fn a_cut_file_is_read_or_refused_but_never_a_panic() {
    let text = written(&hard_table(), CsvHead::Metadata);
    let bytes = &text.as_bytes()[..2000];
    for length in 0..bytes.len() {
        let _ = Table::from_csv(&bytes[..length]);
    }
}

/// All numbers are in one block, column after column, also where rows come and go.
#[test]
fn a_table_is_one_block() {
    let columns = ["t", "x", "y"].map(|name| Column::new(name, None, vec![0.0]));
    let mut table = Table::new("", columns.to_vec()).unwrap();
    for i in 1..200 {
        table.push_row(&[1.0, 2.0, 3.0].map(|k| k * f64::from(i)));
    }
    table.drop_last_while(|t| t > 150.0);
    assert_eq!(table.rows(), 151);
    let (block, stride) = table.block();
    for (k, column) in table.columns().iter().enumerate() {
        assert_eq!(column.values, &block[k * stride..k * stride + 151]);
        let wanted: Vec<f64> = (0..151_u8).map(|i| (k + 1) as f64 * f64::from(i)).collect();
        assert_eq!(column.values, wanted);
    }
}
