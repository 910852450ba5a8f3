//! energydb.
