//! Tables as comma-separated values, RFC 4180.
//!
//! * The first line holds the names, so that `pandas.read_csv` takes the file as it is; units and the
//!   like have no place there and go, on request, into one comment line before it ([`CsvHead`]).
//! * A number is the shortest decimal that reads back to the same bits. It always has a point or an
//!   exponent, so that nobody takes a column for integers. Other values are `NaN`, `inf`, `-inf`, the
//!   spellings that pandas, polars and numpy have in common.
//! * A name is quoted if it has a comma, a quote or a line break in it, if blanks at its ends would get
//!   lost, or if it could be taken for a comment or for a number.
//! * Read are also: line ends of Windows, a byte order mark, blank lines, blanks around numbers, and an
//!   empty field, which is NaN.

use super::{Column, TITLE_KEY, Table, TableError, UNITS_KEY};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Write as _};
use std::io;

/// What a CSV file begins with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CsvHead {
    /// The names.
    #[default]
    Names,
    /// A line `# {…}` with title, units and metadata as a JSON object, then the names.
    Metadata,
}

impl Table {
    /// Writes the table as CSV.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write_csv(&self, mut to: impl io::Write, head: CsvHead) -> io::Result<()> {
        let mut text = String::new();
        if head == CsvHead::Metadata {
            let mut pairs = Map::new();
            pairs.insert(TITLE_KEY.to_owned(), Value::from(self.title()));
            pairs.insert(UNITS_KEY.to_owned(), Value::Object(self.units()));
            for (key, value) in self.metadata() {
                pairs.insert(key.clone(), Value::from(value.as_str()));
            }
            text.push_str("# ");
            text.push_str(&Value::Object(pairs).to_string());
            text.push('\n');
        }
        let columns = self.columns();
        for (i, column) in columns.iter().enumerate() {
            push_separator(&mut text, i);
            push_name(&mut text, &column.name);
        }
        text.push('\n');
        for row in 0..self.rows() {
            for (i, column) in columns.iter().enumerate() {
                push_separator(&mut text, i);
                push_number(&mut text, column.values[row]);
            }
            text.push('\n');
            if text.len() >= 1 << 15 {
                to.write_all(text.as_bytes())?;
                text.clear();
            }
        }
        to.write_all(text.as_bytes())?;
        to.flush()
    }

    /// Reads a table from CSV.
    ///
    /// # Errors
    /// The first mistake, with its place.
    pub fn from_csv(bytes: &[u8]) -> Result<Table, CsvError> {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let text = match str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => {
                let valid = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
                return Err(CsvError::at(&valid, valid.len(), CsvMistake::NotUtf8));
            }
        };
        let mut reader = CsvReader { text, position: 0 };
        let comments = reader.comments();

        let mut fields = Vec::new();
        if !reader.record(&mut fields)? {
            return Err(CsvError::at(text, text.len(), CsvMistake::NoHeader));
        }
        if fields.iter().all(Field::could_be_number) {
            return Err(CsvError::at(text, fields[0].start, CsvMistake::NoNames));
        }
        let places: Vec<usize> = fields.iter().map(|field| field.start).collect();
        let mut columns: Vec<Column> = fields
            .iter()
            .map(|field| Column::new(field.name(), None, Vec::new()))
            .collect();

        while reader.record(&mut fields)? {
            if fields.len() != columns.len() {
                let mistake = CsvMistake::FieldCount {
                    found: fields.len(),
                    expected: columns.len(),
                };
                return Err(CsvError::at(text, fields[0].start, mistake));
            }
            for (column, field) in columns.iter_mut().zip(&fields) {
                let value = field.number().ok_or_else(|| {
                    let mistake = CsvMistake::NotANumber {
                        text: field.text.clone().into_owned(),
                        column: column.name.clone(),
                    };
                    CsvError::at(text, field.start, mistake)
                })?;
                column.values.push(value);
            }
        }
        let names: Vec<String> = columns.iter().map(|column| column.name.clone()).collect();
        let mut table = Table::new("", columns).map_err(|error| {
            let second = match &error {
                TableError::DuplicateName { name } => names.iter().rposition(|n| n == name),
                _ => None,
            };
            CsvError::at(text, places[second.unwrap_or(0)], CsvMistake::Table(error))
        })?;
        table.describe(comments.into_iter().flatten());
        Ok(table)
    }
}

fn push_separator(text: &mut String, index: usize) {
    if index > 0 {
        text.push(',');
    }
}

fn push_name(text: &mut String, name: &str) {
    let quoted = name.is_empty()
        || name.contains([',', '"', '\n', '\r'])
        || name.trim() != name
        || name.starts_with('#')
        || name.parse::<f64>().is_ok();
    if quoted {
        text.push('"');
        text.push_str(&name.replace('"', "\"\""));
        text.push('"');
    } else {
        text.push_str(name);
    }
}

fn push_number(text: &mut String, value: f64) {
    // Shortest digits; an exponent below 1e-5 and from 1e16 on; `NaN`, `inf` and `-inf`.
    write!(text, "{value:?}").expect("a string takes everything");
}

/// What stands between two commas.
struct Field<'a> {
    text: Cow<'a, str>,
    quoted: bool,
    /// Byte of the file at which it begins, with its quote.
    start: usize,
}

impl Field<'_> {
    fn name(&self) -> &str {
        if self.quoted {
            &self.text
        } else {
            self.text.trim()
        }
    }

    fn could_be_number(&self) -> bool {
        !self.quoted && self.text.trim().parse::<f64>().is_ok()
    }

    fn number(&self) -> Option<f64> {
        match self.text.trim() {
            "" => Some(f64::NAN),
            text => text.parse().ok(),
        }
    }
}

struct CsvReader<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> CsvReader<'a> {
    /// Skips lines that begin with `#`; the object that the first of them to hold one holds.
    fn comments(&mut self) -> Option<Map<String, Value>> {
        let mut found = None;
        while self.text[self.position..].starts_with('#') {
            let rest = &self.text[self.position..];
            let line = rest.split_inclusive('\n').next().unwrap_or(rest);
            if found.is_none() {
                found = serde_json::from_str(line[1..].trim()).ok();
            }
            self.position += line.len();
        }
        found
    }

    /// Reads the next line that is not blank; whether there was one.
    fn record(&mut self, fields: &mut Vec<Field<'a>>) -> Result<bool, CsvError> {
        fields.clear();
        while self.line_end() {}
        if self.position == self.text.len() {
            return Ok(false);
        }
        loop {
            let field = self.field()?;
            fields.push(field);
            if self.position == self.text.len() || self.line_end() {
                return Ok(true);
            }
            // A field ends at a comma if it does not end the line.
            self.position += 1;
        }
    }

    /// Steps over a line end, if one is here.
    fn line_end(&mut self) -> bool {
        let rest = &self.text[self.position..];
        let length = match rest.as_bytes() {
            [b'\n', ..] => 1,
            [b'\r', b'\n', ..] => 2,
            _ => return false,
        };
        self.position += length;
        true
    }

    fn field(&mut self) -> Result<Field<'a>, CsvError> {
        let start = self.position;
        let rest = &self.text[start..];
        if rest.starts_with('"') {
            return self.quoted_field();
        }
        let length = rest.find([',', '\n']).unwrap_or(rest.len());
        let mut field = &rest[..length];
        if rest[length..].starts_with('\n') {
            field = field.strip_suffix('\r').unwrap_or(field);
        }
        self.position += field.len();
        Ok(Field {
            text: Cow::Borrowed(field),
            quoted: false,
            start,
        })
    }

    fn quoted_field(&mut self) -> Result<Field<'a>, CsvError> {
        let start = self.position;
        let mut contents = Cow::Borrowed("");
        let mut from = start + 1;
        loop {
            let Some(length) = self.text[from..].find('"') else {
                return Err(CsvError::at(self.text, start, CsvMistake::UnclosedQuote));
            };
            contents += &self.text[from..from + length];
            from += length + 1;
            if !self.text[from..].starts_with('"') {
                break;
            }
            contents += "\"";
            from += 1;
        }
        self.position = from;
        let rest = &self.text[from..];
        let ends = rest.is_empty() || rest.starts_with([',', '\n']) || rest.starts_with("\r\n");
        if !ends {
            return Err(CsvError::at(self.text, from, CsvMistake::TextAfterQuote));
        }
        Ok(Field {
            text: contents,
            quoted: true,
            start,
        })
    }
}

/// What is wrong with a CSV file, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CsvError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub mistake: CsvMistake,
}

impl CsvError {
    fn at(text: &str, position: usize, mistake: CsvMistake) -> CsvError {
        let before = &text[..position];
        let line_start = before.rfind('\n').map_or(0, |end| end + 1);
        CsvError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            mistake,
        }
    }
}

/// A way in which a CSV file is not a table of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CsvMistake {
    /// The bytes are not text.
    NotUtf8,
    /// The file is empty.
    NoHeader,
    /// The first line holds numbers where names should be.
    NoNames,
    /// A quote is opened and not closed.
    UnclosedQuote,
    /// A quoted field goes on after its closing quote.
    TextAfterQuote,
    /// A line has more or fewer fields than there are names.
    FieldCount {
        /// Fields in this line.
        found: usize,
        /// Names.
        expected: usize,
    },
    /// A field is not a number.
    NotANumber {
        /// The field.
        text: String,
        /// The name of its column.
        column: String,
    },
    /// The columns do not make a table.
    Table(TableError),
}

impl fmt::Display for CsvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: ", self.line, self.column)?;
        match &self.mistake {
            CsvMistake::NotUtf8 => write!(f, "not UTF-8 text"),
            CsvMistake::NoHeader => write!(f, "no line with column names"),
            CsvMistake::NoNames => write!(f, "numbers where the column names should be"),
            CsvMistake::UnclosedQuote => write!(f, "quote is not closed"),
            CsvMistake::TextAfterQuote => write!(f, "text after the closing quote"),
            CsvMistake::FieldCount { found, expected } => {
                write!(f, "{found} fields, but {expected} columns")
            }
            CsvMistake::NotANumber { text, column } => {
                let shown: String = text.chars().take(40).collect();
                let more = if shown.len() < text.len() { "…" } else { "" };
                let shown = shown.escape_debug();
                write!(f, "'{shown}{more}' in column '{column}' is not a number")
            }
            CsvMistake::Table(error) => error.fmt(f),
        }
    }
}

impl Error for CsvError {}
