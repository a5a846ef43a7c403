use super::mesh;

const OBJ: &str = "# a tetrahedron\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf 1 3 2\nf 1/1 2/2 4/3\nf 2//1 3//1 -1\nf 3 1 4\n";

fn read(bytes: &[u8]) -> Result<dalembert_mechanics::mesh::Mesh, String> {
    mesh(&("it".to_owned(), bytes.to_vec())).map_err(|it| it.message)
}

/// The same solid in all three ways of writing.
#[test]
fn all_formats_are_one() {
    let obj = read(OBJ.as_bytes()).expect("a mesh");
    let mut text = "solid it\n".to_owned();
    let mut binary = vec![0; 80];
    binary.extend((obj.triangles.len() as u32).to_le_bytes());
    for triangle in &obj.triangles {
        text += "facet normal 0 0 0\nouter loop\n";
        binary.extend([0; 12]);
        for &i in triangle {
            let [x, y, z] = obj.points[i as usize];
            text += &format!("vertex {x:e} {y:e} {z:e}\n");
            [x, y, z]
                .iter()
                .for_each(|it| binary.extend((*it as f32).to_le_bytes()));
        }
        text += "endloop\nendfacet\n";
        binary.extend([0; 2]);
    }
    text += "endsolid it\n";
    let known = obj.solid(2.0).expect("closed");
    assert!((known.volume - 8.0 / 6.0).abs() < 1e-15);
    assert!((known.center[0] - 0.5).abs() < 1e-15);
    for bytes in [text.as_bytes(), &binary] {
        assert_eq!(read(bytes).expect("a mesh").solid(2.0), Ok(known));
    }
}

#[test]
fn what_is_no_mesh_is_refused() {
    for (bytes, why) in [
        (&b"v 0 0\n"[..], "a corner has three finite numbers"),
        (
            b"v 0 0 0\nf 1 2 3\n",
            "`2` is the number of no corner above: there are 1",
        ),
        (b"v 0 0 0\nf 1 1\n", "a face has three corners or more"),
        (
            b"hello\n",
            "this is no line of an OBJ file with corners and faces",
        ),
        (
            b"solid\nvertex 0 0 0\nendloop\n",
            "a facet of an STL file has three vertices",
        ),
        (
            b"solid\nvertex 0 0 nan\n",
            "a corner has three finite numbers",
        ),
        (b"solid\nvertex 0 0 0\n", "the file ends within a triangle"),
        (b"solid\nendsolid\n", "it has no triangles"),
        (b"", "it has no triangles"),
        (
            b"\xff\xfe",
            "it is no mesh: neither text nor the bytes of an STL file",
        ),
    ] {
        assert_eq!(read(bytes), Err(why.to_owned()));
    }
}
