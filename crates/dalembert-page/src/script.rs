//! The modules of the page as one script.

/// The modules in the order in which they are joined: each imports from those before it only.
pub const MODULES: &[(&str, &str)] = &[
    ("dom.js", include_str!("../js/dom.js")),
    ("data.js", include_str!("../js/data.js")),
    ("vectors.js", include_str!("../js/vectors.js")),
    ("meshes.js", include_str!("../js/meshes.js")),
    ("renderer.js", include_str!("../js/renderer.js")),
    ("figures.js", include_str!("../js/figures.js")),
    ("camera.js", include_str!("../js/camera.js")),
    ("picture.js", include_str!("../js/picture.js")),
    ("player.js", include_str!("../js/player.js")),
    ("stage.js", include_str!("../js/stage.js")),
    ("ticks.js", include_str!("../js/ticks.js")),
    ("plot.js", include_str!("../js/plot.js")),
    ("plots.js", include_str!("../js/plots.js")),
    ("equations.js", include_str!("../js/equations.js")),
    ("reading.js", include_str!("../js/reading.js")),
    ("units.js", include_str!("../js/units.js")),
    ("live.js", include_str!("../js/live.js")),
    ("main.js", include_str!("../js/main.js")),
];

/// What a page has besides if it comes from a server.
pub const SERVED: (&str, &str) = ("served.js", include_str!("../js/served.js"));

/// What the front page of a gallery has besides what pictures are painted with.
const FRONT: (&str, &str) = ("gallery.js", include_str!("../js/gallery.js"));

/// The modules of a page that paint pictures.
const PAINTERS: [&str; 8] = [
    "dom.js",
    "data.js",
    "vectors.js",
    "meshes.js",
    "renderer.js",
    "figures.js",
    "camera.js",
    "picture.js",
];

/// The modules of the front page of a gallery, in their order.
#[must_use]
pub fn gallery_modules() -> Vec<(&'static str, &'static str)> {
    let painters = MODULES.iter().filter(|(name, _)| PAINTERS.contains(name));
    painters.copied().chain([FRONT]).collect()
}

/// The modules of the simulator, which runs in a worker, in their order.
pub const SIMULATOR: &[(&str, &str)] = &[
    ("programs.js", include_str!("../js/simulate/programs.js")),
    ("linear.js", include_str!("../js/simulate/linear.js")),
    ("plan.js", include_str!("../js/simulate/plan.js")),
    ("unique.js", include_str!("../js/simulate/unique.js")),
    (
        "integrator.js",
        include_str!("../js/simulate/integrator.js"),
    ),
    ("rises.js", include_str!("../js/simulate/rises.js")),
    ("kinks.js", include_str!("../js/simulate/kinks.js")),
    ("laws.js", include_str!("../js/simulate/laws.js")),
    ("inertia.js", include_str!("../js/simulate/inertia.js")),
    ("motion.js", include_str!("../js/simulate/motion.js")),
    ("newton.js", include_str!("../js/simulate/newton.js")),
    ("search.js", include_str!("../js/simulate/search.js")),
    ("start.js", include_str!("../js/simulate/start.js")),
    ("events.js", include_str!("../js/simulate/events.js")),
    ("run.js", include_str!("../js/simulate/run.js")),
    ("scene.js", include_str!("../js/simulate/scene.js")),
    ("worker.js", include_str!("../js/simulate/worker.js")),
    ("listen.js", "serve(self);\n"),
];

/// The modules of a page as one script.
#[must_use]
pub fn script() -> String {
    joined(MODULES)
}

/// Those of the simulator as one script, which listens.
#[must_use]
pub fn simulator() -> String {
    joined(SIMULATOR)
}

/// Modules as one script: imports, comments, types and the space before lines are left out, and nothing is exported.
pub(crate) fn joined(modules: &[(&str, &str)]) -> String {
    let mut text = String::from("\"use strict\";\n(() => {\n");
    for (_, module) in modules {
        for line in module.lines() {
            let line = line.trim_start();
            let comment = ["//", "/**", "* ", "*/"];
            // What stands behind the type of a value is code.
            let code = line.strip_prefix("/** ").and_then(|it| it.split_once("*/"));
            let is_code = code.is_some_and(|(_, after)| !after.trim().is_empty());
            let is_comment = !is_code && comment.iter().any(|it| line.starts_with(it));
            if line.starts_with("import ") || is_comment {
                continue;
            }
            let mut rest = line.strip_prefix("export ").unwrap_or(line);
            // Types are for who reads the modules.
            while let Some((code, after)) = rest.split_once("/** ") {
                text.push_str(code.trim_end());
                text.push(' ');
                rest = after
                    .split_once("*/")
                    .map_or("", |(_, after)| after.trim_start());
            }
            text.push_str(rest);
            text.push('\n');
        }
    }
    text + "})();\n"
}
