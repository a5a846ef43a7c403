//! Tables as Apache Parquet.
//!
//! Columns are `required double`, plain, in row groups of 65 536 rows, compressed with Snappy, which
//! every reader understands. That costs little and shrinks only columns that hardly change; transposing
//! the bytes first (`BYTE_STREAM_SPLIT`) would save a quarter of the size for twice to three times the time
//! to write and read, and keep out older readers.
//!
//! Read are also files by others, for instance from pandas: columns of floats and integers, with nulls as
//! NaN. Their values are kept as `f64`, so integers beyond 2⁵³ are rounded.

use super::{Column, TITLE_KEY, Table, UNITS_KEY};
use parquet::basic::{Compression, ConvertedType, Encoding, LogicalType, Repetition, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{DataType, DoubleType};
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, KeyValue};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnDescriptor, Type as SchemaType};
use serde_json::Value;
use std::error::Error;
use std::fs::File;
use std::io;
use std::sync::Arc;

/// Rows in one row group.
const ROW_GROUP: usize = 1 << 16;

/// Keys under which other programs keep their own notion of the columns.
const FOREIGN_SCHEMAS: [&str; 2] = ["ARROW:schema", "pandas"];

impl Table {
    /// Writes the table as Parquet.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_parquet(&self, to: impl io::Write + Send) -> io::Result<()> {
        self.write_row_groups(to).map_err(|error| match error {
            ParquetError::External(source) => match source.downcast::<io::Error>() {
                Ok(source) => *source,
                Err(source) => io::Error::other(source),
            },
            error => io::Error::other(error),
        })
    }

    fn write_row_groups(&self, to: impl io::Write + Send) -> Result<(), ParquetError> {
        let mut fields = Vec::with_capacity(self.columns().len());
        for column in self.columns() {
            let field = SchemaType::primitive_type_builder(&column.name, Type::DOUBLE)
                .with_repetition(Repetition::REQUIRED)
                .build()?;
            fields.push(Arc::new(field));
        }
        let schema = SchemaType::group_type_builder("schema")
            .with_fields(fields)
            .build()?;

        let mut pairs = vec![
            KeyValue::new(TITLE_KEY.to_owned(), self.title().to_owned()),
            KeyValue::new(
                UNITS_KEY.to_owned(),
                Value::Object(self.units()).to_string(),
            ),
        ];
        for (key, value) in self.metadata() {
            pairs.push(KeyValue::new(key.clone(), value.clone()));
        }
        let properties = WriterProperties::builder()
            .set_created_by(concat!("dalembert version ", env!("CARGO_PKG_VERSION")).to_owned())
            .set_key_value_metadata(Some(pairs))
            .set_dictionary_enabled(false)
            .set_encoding(Encoding::PLAIN)
            .set_compression(Compression::SNAPPY)
            .build();

        let mut file = SerializedFileWriter::new(to, Arc::new(schema), Arc::new(properties))?;
        for first in (0..self.rows()).step_by(ROW_GROUP) {
            let rows = first..self.rows().min(first + ROW_GROUP);
            let mut group = file.next_row_group()?;
            for column in self.columns() {
                let mut writer = group
                    .next_column()?
                    .expect("the schema has every column of the table");
                let values = &column.values[rows.clone()];
                writer
                    .typed::<DoubleType>()
                    .write_batch(values, None, None)?;
                writer.close()?;
            }
            group.close()?;
        }
        file.close()?;
        Ok(())
    }

    /// Reads a table from a Parquet file.
    ///
    /// # Errors
    /// The file is damaged, or a column does not hold numbers.
    pub fn from_parquet(file: File) -> Result<Table, Box<dyn Error + Send + Sync>> {
        let reader = SerializedFileReader::new(file)?;
        let metadata = reader.metadata().file_metadata();
        let schema = metadata.schema_descr();
        let mut columns = Vec::with_capacity(schema.num_columns());
        for descriptor in schema.columns() {
            if !is_numeric(descriptor) {
                return Err(format!(
                    "column '{}' does not hold floats or signed integers, but {} {}",
                    descriptor.path().string(),
                    descriptor.physical_type(),
                    descriptor.converted_type(),
                )
                .into());
            }
            columns.push(Column::new(descriptor.name(), None, Vec::new()));
        }
        for index in 0..reader.num_row_groups() {
            let group = reader.get_row_group(index)?;
            let rows = usize::try_from(group.metadata().num_rows())?;
            for (i, column) in columns.iter_mut().enumerate() {
                check(&column.name, group.metadata().column(i))?;
                let before = column.values.len();
                append(group.get_column_reader(i)?, &mut column.values)?;
                let found = column.values.len() - before;
                if found != rows {
                    let name = &column.name;
                    return Err(format!(
                        "column '{name}' has {found} values in row group {index}, not {rows}"
                    )
                    .into());
                }
            }
        }
        let mut table = Table::new("", columns)?;
        let pairs = metadata.key_value_metadata().into_iter().flatten();
        table.describe(pairs.filter_map(|pair| {
            // These describe the columns as they were in the file, not as they are in the table.
            if FOREIGN_SCHEMAS.contains(&pair.key.as_str()) {
                return None;
            }
            let text = pair.value.clone()?;
            let value = match pair.key.as_str() {
                UNITS_KEY => serde_json::from_str(&text).unwrap_or(Value::String(text)),
                _ => Value::String(text),
            };
            Some((pair.key.clone(), value))
        }));
        Ok(table)
    }
}

/// Refuses a part of a column that the library would not read, or would panic on.
fn check(name: &str, chunk: &ColumnChunkMetaData) -> Result<(), String> {
    let compression = chunk.compression();
    if !matches!(compression, Compression::UNCOMPRESSED | Compression::SNAPPY) {
        return Err(format!(
            "column '{name}' is compressed by {compression}; only SNAPPY or none is read"
        ));
    }
    let start = chunk.dictionary_page_offset();
    if start.unwrap_or(chunk.data_page_offset()) < 0 || chunk.compressed_size() < 0 {
        return Err(format!("column '{name}' lies outside of the file"));
    }
    Ok(())
}

/// Whether a column is flat and its stored values are the numbers that it means.
fn is_numeric(descriptor: &ColumnDescriptor) -> bool {
    let flat = descriptor.path().parts().len() == 1 && descriptor.max_rep_level() == 0;
    let plain = match descriptor.logical_type_ref() {
        None => matches!(
            descriptor.converted_type(),
            ConvertedType::NONE
                | ConvertedType::INT_8
                | ConvertedType::INT_16
                | ConvertedType::INT_32
                | ConvertedType::INT_64
        ),
        Some(LogicalType::Integer(integer)) => integer.is_signed,
        Some(_) => false,
    };
    let number = matches!(
        descriptor.physical_type(),
        Type::DOUBLE | Type::FLOAT | Type::INT32 | Type::INT64
    );
    flat && plain && number
}

fn append(reader: ColumnReader, values: &mut Vec<f64>) -> Result<(), ParquetError> {
    match reader {
        ColumnReader::DoubleColumnReader(reader) => append_as(reader, values, |x| *x),
        ColumnReader::FloatColumnReader(reader) => append_as(reader, values, |x| f64::from(*x)),
        ColumnReader::Int32ColumnReader(reader) => append_as(reader, values, |x| f64::from(*x)),
        ColumnReader::Int64ColumnReader(reader) => append_as(reader, values, |x| *x as f64),
        _ => Err(ParquetError::NYI("columns that are not numbers".to_owned())),
    }
}

/// Appends all values of a column chunk, a null as NaN.
fn append_as<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    values: &mut Vec<f64>,
    number: impl Fn(&T::T) -> f64,
) -> Result<(), ParquetError> {
    let mut present = Vec::new();
    let mut levels = Vec::new();
    loop {
        present.clear();
        levels.clear();
        // In portions, so that a damaged count cannot ask for all memory there is.
        let (rows, ..) = reader.read_records(ROW_GROUP, Some(&mut levels), None, &mut present)?;
        if rows == 0 {
            return Ok(());
        }
        if levels.is_empty() {
            values.extend(present.iter().map(&number));
        } else {
            // The column is flat, so a level is 1 for a value and 0 for a null.
            let mut present = present.iter().map(&number);
            values.extend(levels.iter().map(|&level| match level {
                0 => f64::NAN,
                _ => present.next().unwrap_or(f64::NAN),
            }));
        }
    }
}
