//! What the linear algebra must satisfy, on random matrices of every shape and rank.

mod balance;
mod cholesky;
mod elimination;
mod jacobi;
mod matrix;
mod orthogonal;
mod products;
mod random;
