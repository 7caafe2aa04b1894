//! The runtime against hostile guests, hostile answers, damaged compiled code and compilers that misbehave, through its
//! public interface. Whatever happens, the host answers a good guest afterwards.

#![expect(clippy::disallowed_methods, reason = "the compiler is a child of this test program")]

#[cfg(test)]
mod abi;
#[cfg(test)]
mod answers;
#[cfg(test)]
mod cache;
#[cfg(test)]
mod compiler;
#[cfg(test)]
mod files;
#[cfg(test)]
mod guest;
#[cfg(test)]
mod host;
#[cfg(test)]
mod resources;
#[cfg(test)]
mod round_trip;
#[cfg(test)]
mod worlds;
