//! The files that the program carries within it, as the build script made them.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
