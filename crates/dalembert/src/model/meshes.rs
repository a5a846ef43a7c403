//! Files of meshes: STL, as text or binary, and OBJ.

use dalembert_mechanics::diagnostic::{Diagnostic, Place};
use dalembert_mechanics::mesh::Mesh;

/// What such files are.
const FORM: &str = "meshes are STL files, as text or binary, and OBJ files";

/// Bytes of a binary STL file before its triangles, and of each of them.
const STL_HEAD: usize = 84;
const STL_TRIANGLE: usize = 50;

/// A file by its name and bytes. What it is its bytes say, not its name.
pub(super) fn mesh((name, bytes): &(String, Vec<u8>)) -> Result<Mesh, Diagnostic> {
    if let Some(triangles) = binary_stl(bytes) {
        let corners = triangles.flat_map(|triangle| {
            let number = |at: usize| f32::from_le_bytes([0, 1, 2, 3].map(|k| triangle[at + k]));
            let corner = move |at: usize| [0, 4, 8].map(|k| f64::from(number(at + k)));
            [corner(12), corner(24), corner(36)]
        });
        let mesh = of_corners(corners.collect());
        let found = mesh
            .points
            .iter()
            .position(|it| !it.iter().all(|x| x.is_finite()));
        return match found {
            None => Ok(mesh),
            Some(i) => {
                let message = format!(
                    "triangle {} of {name} has a corner that is no finite number",
                    i / 3 + 1
                );
                Err(refused((name, ""), 0..0, message))
            }
        };
    }
    let Ok(text) = std::str::from_utf8(bytes) else {
        let message = format!("{name} is no mesh: neither text nor the bytes of an STL file");
        return Err(refused((name, ""), 0..0, message));
    };
    let mut reader = Reader {
        file: (name, text),
        mesh: Mesh::default(),
        corners: Vec::new(),
    };
    match text.trim_start().starts_with("solid") {
        true => reader.stl()?,
        false => reader.obj()?,
    }
    if reader.mesh.triangles.is_empty() && reader.corners.is_empty() {
        let message = format!("{name} has no triangles");
        return Err(refused((name, ""), 0..0, message));
    }
    Ok(match reader.corners.is_empty() {
        true => reader.mesh,
        false => of_corners(reader.corners),
    })
}

/// The triangles of a binary STL file, whose length says how many they are.
fn binary_stl(bytes: &[u8]) -> Option<std::slice::ChunksExact<'_, u8>> {
    let count = bytes.get(80..STL_HEAD)?;
    let count = u32::from_le_bytes([count[0], count[1], count[2], count[3]]) as usize;
    let length = count.checked_mul(STL_TRIANGLE)?.checked_add(STL_HEAD)?;
    let is_one = count > 0 && bytes.len() == length;
    is_one.then(|| bytes[STL_HEAD..].chunks_exact(STL_TRIANGLE))
}

/// Triangles that are each written with their corners.
fn of_corners(points: Vec<[f64; 3]>) -> Mesh {
    let count = (points.len() / 3) as u32;
    let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    Mesh { points, triangles }
}

/// A file of text, line after line.
struct Reader<'f> {
    /// Name and text.
    file: (&'f str, &'f str),
    mesh: Mesh,
    /// Corners of triangles that are not numbered.
    corners: Vec<[f64; 3]>,
}

impl<'f> Reader<'f> {
    /// Lines that say something, with their words.
    fn lines(&self) -> impl Iterator<Item = (&'f str, Vec<&'f str>)> + use<'f> {
        let lines = self.file.1.lines();
        lines.filter_map(|line| {
            let words: Vec<&str> = line.split('#').next()?.split_whitespace().collect();
            (!words.is_empty()).then_some((line, words))
        })
    }

    fn stl(&mut self) -> Result<(), Diagnostic> {
        for (line, words) in self.lines() {
            match words[0] {
                "vertex" => {
                    let point = self.point(line, &words[1..])?;
                    self.corners.push(point);
                }
                "endloop" if !self.corners.len().is_multiple_of(3) || self.corners.is_empty() => {
                    return Err(self.wrong(line, "a facet of an STL file has three vertices"));
                }
                "solid" | "facet" | "outer" | "endloop" | "endfacet" | "endsolid" => {}
                _ => return Err(self.wrong(line, "this is no line of an STL file")),
            }
        }
        match self.corners.len() % 3 {
            0 => Ok(()),
            _ => {
                let last = self.file.1.lines().last().unwrap_or_default();
                Err(self.wrong(last, "the file ends within a triangle"))
            }
        }
    }

    fn obj(&mut self) -> Result<(), Diagnostic> {
        for (line, words) in self.lines() {
            match words[0] {
                "v" => {
                    let point = self.point(line, &words[1..])?;
                    self.mesh.points.push(point);
                }
                "f" => self.face(line, &words[1..])?,
                // Textures, normals, groups, materials, lines and points.
                "vt" | "vn" | "vp" | "g" | "o" | "s" | "usemtl" | "mtllib" | "l" | "p" => {}
                _ => {
                    return Err(self.wrong(
                        line,
                        "this is no line of an OBJ file with corners and faces",
                    ));
                }
            }
        }
        Ok(())
    }

    /// A polygon as triangles around its first corner.
    fn face(&mut self, line: &'f str, words: &[&str]) -> Result<(), Diagnostic> {
        let count = self.mesh.points.len() as i64;
        let mut corners = Vec::with_capacity(words.len());
        for word in words {
            let number = word.split('/').next().and_then(|it| it.parse::<i64>().ok());
            // Counted from 1, or backwards from the last.
            let index = number.map(|it| if it < 0 { count + it } else { it - 1 });
            match index.filter(|it| (0..count).contains(it)) {
                Some(index) => corners.push(index as u32),
                None => {
                    let why =
                        format!("`{word}` is the number of no corner above: there are {count}");
                    return Err(self.wrong(line, &why));
                }
            }
        }
        if corners.len() < 3 {
            return Err(self.wrong(line, "a face has three corners or more"));
        }
        let pairs = corners[1..].windows(2);
        let triangles = pairs.map(|pair| [corners[0], pair[0], pair[1]]);
        self.mesh.triangles.extend(triangles);
        Ok(())
    }

    fn point(&self, line: &'f str, words: &[&str]) -> Result<[f64; 3], Diagnostic> {
        let number = |word: &&str| word.parse::<f64>().ok().filter(|it| it.is_finite());
        let numbers: Option<Vec<f64>> = words.iter().take(3).map(number).collect();
        match numbers.as_deref() {
            Some(&[x, y, z]) => Ok([x, y, z]),
            _ => Err(self.wrong(line, "a corner has three finite numbers")),
        }
    }

    fn wrong(&self, line: &'f str, why: &str) -> Diagnostic {
        let start = line.as_ptr() as usize - self.file.1.as_ptr() as usize;
        refused(self.file, start..start + line.len(), why.to_owned())
    }
}

fn refused(
    (name, text): (&str, &str),
    span: std::ops::Range<usize>,
    message: String,
) -> Diagnostic {
    let place = Place::given(name, text, span);
    Diagnostic::error("E0488", place, message, FORM)
}

#[cfg(test)]
#[path = "../../tests/inside/model_meshes.rs"]
mod tests;
