//! What workloads make.

/// What a workload makes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Product {
    /// Text, counted in tokens.
    #[default]
    Tokens,
    /// Images.
    Images,
    /// Videos.
    Videos,
}

impl Product {
    /// The name that the database has for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tokens => "tokens",
            Self::Images => "images",
            Self::Videos => "videos",
        }
    }

    /// Every product.
    pub fn all() -> impl Iterator<Item = Self> {
        // A match, so that a new product does not compile until it is among them.
        std::iter::successors(Some(Self::Tokens), |product| match product {
            Self::Tokens => Some(Self::Images),
            Self::Images => Some(Self::Videos),
            Self::Videos => None,
        })
    }

    /// The product of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::all().find(|product| product.name() == name)
    }
}
