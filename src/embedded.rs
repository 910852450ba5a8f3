//! The files that the program carries within it, as the build script made them.

use crate::measurement::labels::Label;
use crate::measurement::published::Precision;

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));
