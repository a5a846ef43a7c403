//! Parts as Apache Parquet: numbers as `double`, missing where they are none; texts as UTF-8; series as lists.
//!
//! The same part has the same bytes: no time and no place is in them.

use super::columns::{Column, Part, Values};
use super::manifest::{Head, HeadKind};
use dalembert_results::{TITLE_KEY, UNITS_KEY};
use parquet::basic::{Compression, ConvertedType, Encoding, LogicalType, Repetition, Type};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnPath, PrimitiveTypeBuilder, Type as SchemaType, TypePtr};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The key under which a file says how its runs ended: {"done": 12, …}.
const STATUS_KEY: &str = "dalembert.status";

/// The key under which it says why some have no results: {code: [how many, the first run, why that], …}.
const REASONS_KEY: &str = "dalembert.reasons";

/// By code: how many, the first run, and why that.
pub type Reasons = BTreeMap<String, (u64, u64, String)>;

/// How the runs of a part ended: how many by status, and by the code of the reason, with the first of them and its reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    pub(crate) status: BTreeMap<String, u64>,
    pub(crate) reasons: Reasons,
}

impl Tally {
    fn of(part: &Part, heads: &[Head]) -> Self {
        let texts = |kind| {
            let head = heads.iter().find(|head| head.kind == kind)?;
            match part.column(&head.name)? {
                Values::Text(texts) => Some(texts.as_slice()),
                _ => None,
            }
        };
        let mut tally = Self::default();
        for status in texts(HeadKind::Status).into_iter().flatten().flatten() {
            *tally.status.entry(status.clone()).or_default() += 1;
        }
        let first = match part.columns.first().map(|it| &it.values) {
            Some(Values::Whole(runs)) => runs.as_slice(),
            _ => &[],
        };
        let reasons = texts(HeadKind::Reason).unwrap_or_default();
        for (reason, run) in reasons.iter().zip(first) {
            if let Some(reason) = reason {
                let (code, why) = reason.split_once(": ").unwrap_or(("", reason));
                let entry = tally.reasons.entry(code.to_owned());
                let first = || (0, *run as u64, why.to_owned());
                entry.or_insert_with(first).0 += 1;
            }
        }
        tally
    }

    /// Adds that of a later part.
    pub(crate) fn add(&mut self, other: Self) {
        for (status, count) in other.status {
            *self.status.entry(status).or_default() += count;
        }
        for (code, (count, first, why)) in other.reasons {
            self.reasons.entry(code).or_insert((0, first, why)).0 += count;
        }
    }
}

/// Writes a part.
pub(crate) fn write(
    part: &Part,
    (title, heads): (&str, &[Head]),
    to: impl io::Write + Send,
) -> io::Result<()> {
    written(part, (title, heads), to).map_err(|error| match error {
        ParquetError::External(source) => match source.downcast::<io::Error>() {
            Ok(source) => *source,
            Err(source) => io::Error::other(source),
        },
        error => io::Error::other(error),
    })
}

fn written(
    part: &Part,
    (title, heads): (&str, &[Head]),
    to: impl io::Write + Send,
) -> Result<(), ParquetError> {
    let fields: Result<Vec<TypePtr>, ParquetError> = part.columns.iter().map(field).collect();
    let schema = SchemaType::group_type_builder("schema")
        .with_fields(fields?)
        .build()?;
    let units = heads
        .iter()
        .filter_map(|head| Some((head.name.clone(), Value::from(head.unit.clone()?))));
    let units: Map<String, Value> = units.collect();
    let tally = Tally::of(part, heads);
    let text = |value: serde_json::Result<String>| {
        value.map_err(|error| ParquetError::General(error.to_string()))
    };
    let pair = |key: &str, value: String| KeyValue::new(key.to_owned(), value);
    let pairs = vec![
        pair(TITLE_KEY, title.to_owned()),
        pair(UNITS_KEY, Value::Object(units).to_string()),
        pair(STATUS_KEY, text(serde_json::to_string(&tally.status))?),
        pair(REASONS_KEY, text(serde_json::to_string(&tally.reasons))?),
    ];
    let mut properties = WriterProperties::builder()
        .set_created_by(concat!("dalembert version ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(pairs))
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::PLAIN)
        .set_compression(Compression::SNAPPY);
    for column in &part.columns {
        if matches!(column.values, Values::Text(_)) {
            // Few texts, many times.
            let path = ColumnPath::from(column.name.clone());
            properties = properties.set_column_dictionary_enabled(path, true);
        }
    }
    let properties = Arc::new(properties.build());
    let mut file = SerializedFileWriter::new(to, Arc::new(schema), properties)?;
    let mut group = file.next_row_group()?;
    for column in &part.columns {
        write_column(&mut group, column)?;
    }
    group.close()?;
    file.close()?;
    Ok(())
}

fn field(column: &Column) -> Result<TypePtr, ParquetError> {
    let name = &column.name;
    let built = match column.values {
        Values::Whole(_) => primitive(name, Type::INT64, Repetition::REQUIRED).build()?,
        Values::Number(_) => primitive(name, Type::DOUBLE, Repetition::OPTIONAL).build()?,
        Values::Text(_) => primitive(name, Type::BYTE_ARRAY, Repetition::OPTIONAL)
            .with_converted_type(ConvertedType::UTF8)
            .with_logical_type(Some(LogicalType::String))
            .build()?,
        Values::Series(_) => {
            let element = primitive("element", Type::DOUBLE, Repetition::REQUIRED).build()?;
            let list = SchemaType::group_type_builder("list")
                .with_repetition(Repetition::REPEATED)
                .with_fields(vec![Arc::new(element)])
                .build()?;
            SchemaType::group_type_builder(name)
                .with_repetition(Repetition::REQUIRED)
                .with_converted_type(ConvertedType::LIST)
                .with_logical_type(Some(LogicalType::List))
                .with_fields(vec![Arc::new(list)])
                .build()?
        }
    };
    Ok(Arc::new(built))
}

fn primitive(name: &str, of: Type, repetition: Repetition) -> PrimitiveTypeBuilder<'_> {
    SchemaType::primitive_type_builder(name, of).with_repetition(repetition)
}

fn write_column<W: io::Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    column: &Column,
) -> Result<(), ParquetError> {
    let mut writer = group
        .next_column()?
        .expect("the schema has every column of the part");
    match &column.values {
        Values::Whole(values) => {
            writer
                .typed::<Int64Type>()
                .write_batch(values, None, None)?;
        }
        Values::Number(values) => {
            let levels: Vec<i16> = values.iter().map(|it| i16::from(!it.is_nan())).collect();
            let known: Vec<f64> = values.iter().copied().filter(|it| !it.is_nan()).collect();
            writer
                .typed::<DoubleType>()
                .write_batch(&known, Some(&levels), None)?;
        }
        Values::Text(values) => {
            let levels: Vec<i16> = values.iter().map(|it| i16::from(it.is_some())).collect();
            let known: Vec<ByteArray> = values
                .iter()
                .flatten()
                .map(|it| ByteArray::from(it.as_str()))
                .collect();
            writer
                .typed::<ByteArrayType>()
                .write_batch(&known, Some(&levels), None)?;
        }
        Values::Series(values) => {
            let (mut levels, mut again, mut known) = (Vec::new(), Vec::new(), Vec::new());
            for series in values {
                if series.is_empty() {
                    levels.push(0);
                    again.push(0);
                }
                for (place, value) in series.iter().enumerate() {
                    levels.push(1);
                    again.push(i16::from(place > 0));
                    known.push(*value);
                }
            }
            writer
                .typed::<DoubleType>()
                .write_batch(&known, Some(&levels), Some(&again))?;
        }
    }
    writer.close()
}

/// How the runs of a file ended, as its last lines say, and how many there are.
pub(crate) fn tally(path: &Path) -> Result<(Tally, u64), ParquetError> {
    let reader = SerializedFileReader::new(File::open(path)?)?;
    let metadata = reader.metadata().file_metadata();
    let value = |key: &str| {
        let mut pairs = metadata.key_value_metadata().into_iter().flatten();
        pairs.find(|pair| pair.key == key)?.value.clone()
    };
    let read = |key| {
        value(key).ok_or_else(|| ParquetError::General("it is no part of a sweep".to_owned()))
    };
    let wrong = |error: serde_json::Error| ParquetError::General(error.to_string());
    let tally = Tally {
        status: serde_json::from_str(&read(STATUS_KEY)?).map_err(wrong)?,
        reasons: serde_json::from_str(&read(REASONS_KEY)?).map_err(wrong)?,
    };
    let rows = u64::try_from(metadata.num_rows()).unwrap_or(0);
    Ok((tally, rows))
}

/// Some columns of a file, by name.
pub(crate) fn read(path: &Path, names: &[&str]) -> Result<Part, ParquetError> {
    let reader = SerializedFileReader::new(File::open(path)?)?;
    let schema = reader.metadata().file_metadata().schema_descr();
    let mut columns = Vec::new();
    for name in names {
        let place =
            (0..schema.num_columns()).find(|&i| schema.column(i).path().parts()[0] == *name);
        let missing = || ParquetError::General(format!("there is no column `{name}`"));
        let place = place.ok_or_else(missing)?;
        let mut values = None;
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group)?;
            let rows = usize::try_from(group.metadata().num_rows())?;
            let found = read_column(group.get_column_reader(place)?, rows)?;
            values = Some(match (values, found) {
                (None, found) => found,
                (Some(Values::Number(mut all)), Values::Number(more)) => {
                    all.extend(more);
                    Values::Number(all)
                }
                (Some(all), _) => all,
            });
        }
        columns.push(Column {
            name: (*name).to_owned(),
            values: values.unwrap_or(Values::Number(Vec::new())),
        });
    }
    Ok(Part { columns })
}

fn read_column(reader: ColumnReader, rows: usize) -> Result<Values, ParquetError> {
    let (mut levels, mut again) = (Vec::new(), Vec::new());
    Ok(match reader {
        ColumnReader::Int64ColumnReader(mut reader) => {
            let mut values = Vec::new();
            reader.read_records(rows, None, None, &mut values)?;
            Values::Whole(values)
        }
        ColumnReader::ByteArrayColumnReader(mut reader) => {
            let mut values = Vec::new();
            reader.read_records(rows, Some(&mut levels), None, &mut values)?;
            let mut known = values.into_iter();
            let text = |value: ByteArray| String::from_utf8_lossy(value.data()).into_owned();
            let texts = levels
                .iter()
                .map(|level| known.by_ref().next_if_level(*level).map(text));
            Values::Text(texts.collect())
        }
        ColumnReader::DoubleColumnReader(mut reader) => {
            let mut values = Vec::new();
            reader.read_records(rows, Some(&mut levels), Some(&mut again), &mut values)?;
            let mut known = values.into_iter();
            if again.is_empty() {
                let number = |level: &i16| known.next_if_level(*level).unwrap_or(f64::NAN);
                return Ok(Values::Number(levels.iter().map(number).collect()));
            }
            let mut series: Vec<Vec<f64>> = Vec::with_capacity(rows);
            for (level, again) in levels.iter().zip(&again) {
                if *again == 0 {
                    series.push(Vec::new());
                }
                let last = series
                    .last_mut()
                    .expect("a row begins with its first value");
                last.extend(known.next_if_level(*level));
            }
            Values::Series(series)
        }
        _ => return Err(ParquetError::General("a column of another kind".to_owned())),
    })
}

/// The next value where a level says that there is one.
trait Levelled: Iterator {
    fn next_if_level(&mut self, level: i16) -> Option<Self::Item> {
        if level > 0 { self.next() } else { None }
    }
}

impl<I: Iterator> Levelled for I {}
