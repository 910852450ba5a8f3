//! The files that the program carries within it.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
