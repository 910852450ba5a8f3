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

    /// What people call it.
    pub fn words(self) -> &'static str {
        match self {
            Self::Tokens => "text",
            Self::Images | Self::Videos => self.name(),
        }
    }

    /// The view of all configurations that make it.
    pub fn view(self) -> &'static str {
        match self {
            Self::Tokens => "configuration_energy",
            Self::Images => "image_energy",
            Self::Videos => "video_energy",
        }
    }

    /// The view of the best of them, and the figure of energy that they are chosen by.
    pub fn best(self) -> (&'static str, &'static str) {
        match self {
            Self::Tokens => ("best_configurations", "wh_per_million_output_tokens"),
            Self::Images => ("best_images", "wh_per_image"),
            Self::Videos => ("best_videos", "wh_per_video"),
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
