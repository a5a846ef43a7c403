//! Tables as Parquet: round trips, metadata, damaged files.

use super::{assert_same_columns, assert_same_description, directory, hard_table};
use dalembert::results::{Column, Table};
use parquet::column::writer::ColumnWriter;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

#[test]
fn bits_and_description_survive() {
    let path = directory("parquet-round-trip").join("run.PARQUET");
    let mut table = hard_table();
    // A NaN with a payload, too.
    let row = vec![f64::from_bits(0xFFF8_0000_DEAD_BEEF); table.columns().len()];
    table.push_row(&row);
    table.write(&path).unwrap();
    let back = Table::read(&path).unwrap();
    assert_same_columns(&table, &back);
    assert_same_description(&table, &back);
}

#[test]
fn the_file_is_what_other_programs_expect() {
    let path = directory("parquet-schema").join("run.parquet");
    let n = (1 << 16) + 10;
    let t: Vec<f64> = (0..n).map(f64::from).collect();
    let columns = vec![
        Column::new("t", Some("s"), t.clone()),
        Column::new("vel(disk).x", None, t.clone()),
        Column::new("theta'", Some("rad/s"), t),
    ];
    let mut table = Table::new("disk", columns).unwrap();
    table.set_metadata("model", "disk.toml").unwrap();
    table.write(&path).unwrap();

    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    let metadata = reader.metadata();
    assert_eq!(metadata.num_row_groups(), 2);
    assert_eq!(metadata.row_group(1).num_rows(), 10);
    let schema = metadata.file_metadata().schema_descr();
    let names: Vec<&str> = schema.columns().iter().map(|c| c.name()).collect();
    assert_eq!(names, ["t", "vel(disk).x", "theta'"]);
    assert!(schema.columns().iter().all(|c| c.max_def_level() == 0));
    let pairs: Vec<(&str, Option<&str>)> = metadata
        .file_metadata()
        .key_value_metadata()
        .unwrap()
        .iter()
        .map(|pair| (pair.key.as_str(), pair.value.as_deref()))
        .collect();
    assert_eq!(
        pairs,
        [
            ("dalembert.title", Some("disk")),
            (
                "dalembert.units",
                Some("{\"t\":\"s\",\"theta'\":\"rad/s\"}")
            ),
            ("model", Some("disk.toml")),
        ]
    );
    assert_same_columns(&table, &Table::read(&path).unwrap());
}

#[test]
fn the_same_table_gives_the_same_bytes() {
    let mut files = [Vec::new(), Vec::new()];
    for bytes in &mut files {
        hard_table().write_parquet(bytes).unwrap();
    }
    assert_eq!(files[0], files[1]);
}

#[test]
fn a_table_without_rows_survives() {
    let path = directory("parquet-empty").join("run.parquet");
    let table = Table::new("", vec![Column::new("t", Some("s"), vec![])]).unwrap();
    table.write(&path).unwrap();
    let back = Table::read(&path).unwrap();
    assert_eq!(back.rows(), 0);
    assert_same_description(&table, &back);
}

#[test]
fn damaged_files_are_refused_with_the_path() {
    let path = directory("parquet-damaged").join("run.parquet");
    let mut whole = Vec::new();
    hard_table().write_parquet(&mut whole).unwrap();
    for length in (0..whole.len()).step_by(997) {
        fs::write(&path, &whole[..length]).unwrap();
        let message = Table::read(&path).unwrap_err().to_string();
        assert!(message.contains("run.parquet: "), "{message}");
    }
    fs::write(&path, "t,x\n0,1\n").unwrap();
    assert!(Table::read(&path).is_err());
}

#[test]
fn a_wrong_byte_never_makes_a_panic() {
    let path = directory("parquet-wrong-byte").join("run.parquet");
    let column = Column::new("t", Some("s"), vec![1.0, 2.0, 3.0]);
    let mut whole = Vec::new();
    let table = Table::new("", vec![column]).unwrap();
    table.write_parquet(&mut whole).unwrap();
    for index in 0..whole.len() {
        for wrong in [0x01, 0xFF] {
            whole[index] ^= wrong;
            fs::write(&path, &whole).unwrap();
            let _ = Table::read(&path);
            whole[index] ^= wrong;
        }
    }
}

/// Writes what pandas would: optional columns of several types, and a schema of its own.
fn write_foreign(path: &Path, schema: &str) {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let pairs = ["ARROW:schema", "pandas", "run"]
        .map(|key| KeyValue::new(key.to_owned(), "7".to_owned()))
        .to_vec();
    let properties = WriterProperties::builder().set_key_value_metadata(Some(pairs));
    let file = File::create(path).unwrap();
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build())).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let present = Some(&[1i16, 0, 1][..]);
    while let Some(mut column) = group.next_column().unwrap() {
        let written = match column.untyped() {
            ColumnWriter::DoubleColumnWriter(to) => to.write_batch(&[0.5, 1.5], present, None),
            ColumnWriter::FloatColumnWriter(to) => to.write_batch(&[0.5, 1.5], present, None),
            ColumnWriter::Int32ColumnWriter(to) => to.write_batch(&[-1, 2], present, None),
            ColumnWriter::Int64ColumnWriter(to) => to.write_batch(&[-1, 1 << 40], present, None),
            _ => panic!("no such column here"),
        };
        written.unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.close().unwrap();
}

#[test]
fn files_by_others_are_read() {
    let path = directory("parquet-foreign").join("run.parquet");
    write_foreign(
        &path,
        "message schema { optional double t; optional float f; optional int32 i; optional int64 l; }",
    );
    let table = Table::read(&path).unwrap();
    let shown: Vec<String> = table
        .columns()
        .iter()
        .map(|column| format!("{} {:?}", column.name, column.values))
        .collect();
    assert_eq!(
        shown,
        [
            "t [0.5, NaN, 1.5]",
            "f [0.5, NaN, 1.5]",
            "i [-1.0, NaN, 2.0]",
            "l [-1.0, NaN, 1099511627776.0]",
        ]
    );
    assert_eq!(table.metadata(), [("run".to_owned(), "7".to_owned())]);
}

#[test]
fn columns_that_are_not_plain_numbers_are_refused_by_name() {
    let path = directory("parquet-refused").join("run.parquet");
    for column in [
        "optional int32 u (UINT_32)",
        "optional int32 u (INTEGER(32, false))",
        "optional int64 u (TIMESTAMP_MILLIS)",
        "optional int32 u (DECIMAL(5, 2))",
    ] {
        write_foreign(
            &path,
            &format!("message schema {{ optional double t; {column}; }}"),
        );
        let message = Table::read(&path).unwrap_err().to_string();
        assert!(
            message.contains("column 'u' does not hold floats"),
            "{message}"
        );
    }
}
