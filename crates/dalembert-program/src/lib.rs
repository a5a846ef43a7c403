//! Compiles expression graphs to programs that evaluate fast: a tape interpreter over lanes, and C source.
