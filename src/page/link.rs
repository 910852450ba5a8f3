//! Joins the page's modules into one script.
//!
//! A module is a plain JavaScript file with `import` and `export`, so that editors, the type checker and tests
//! can read it. A single HTML file cannot import other files. So all modules share one scope here, each after
//! the modules that it imports, without these two words. Comment lines are left out to make the page smaller.

/// The modules, each after those it imports.
const MODULES: &[(&str, &str)] = &[
    ("exact.js", include_str!("../../page/modules/exact.js")),
    ("unpack.js", include_str!("../../page/modules/unpack.js")),
    ("element.js", include_str!("../../page/modules/element.js")),
    ("figures.js", include_str!("../../page/modules/figures.js")),
    ("database.js", include_str!("../../page/modules/database.js")),
    ("queries.js", include_str!("../../page/modules/queries.js")),
    ("words.js", include_str!("../../page/modules/words.js")),
    ("state.js", include_str!("../../page/modules/state.js")),
    ("keep.js", include_str!("../../page/modules/keep.js")),
    ("scale.js", include_str!("../../page/modules/scale.js")),
    ("chart.js", include_str!("../../page/modules/chart.js")),
    ("provenance.js", include_str!("../../page/modules/provenance.js")),
    ("table.js", include_str!("../../page/modules/table.js")),
    ("form.js", include_str!("../../page/modules/form.js")),
    ("sources.js", include_str!("../../page/modules/sources.js")),
    ("notes.js", include_str!("../../page/modules/notes.js")),
    ("pictures.js", include_str!("../../page/modules/pictures.js")),
    ("answer.js", include_str!("../../page/modules/answer.js")),
    ("ask.js", include_str!("../../page/modules/ask.js")),
    ("explore.js", include_str!("../../page/modules/explore.js")),
    ("compare.js", include_str!("../../page/modules/compare.js")),
    ("plan.js", include_str!("../../page/modules/plan.js")),
    ("model.js", include_str!("../../page/modules/model.js")),
    ("about.js", include_str!("../../page/modules/about.js")),
    ("main.js", include_str!("../../page/modules/main.js")),
];

/// All modules as one script in a scope of its own.
pub fn script() -> String {
    let mut script = String::from("\"use strict\";\n(() => {\n");
    for (name, module) in MODULES {
        script.push_str(&format!("// {name}\n"));
        for line in code(module).filter(|line| !line.starts_with("import ")) {
            script.push_str(line.strip_prefix("export ").unwrap_or(line));
            script.push('\n');
        }
    }
    script.push_str("})();\n");
    script
}

/// The lines of a module that are not comments alone.
fn code(module: &str) -> impl Iterator<Item = &str> {
    let mut is_comment = false;
    module.lines().filter(move |line| {
        let text = line.trim();
        let was_comment = is_comment;
        is_comment = (was_comment || text.starts_with("/**")) && !text.contains("*/");
        let is_whole = text.starts_with("//") || (text.starts_with("/**") && text.ends_with("*/"));
        !(was_comment || is_comment || is_whole || text.is_empty())
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// The names that a module declares in the scope that it shares.
    fn declared(module: &str) -> Vec<&str> {
        let words = ["function ", "async function ", "const ", "let ", "class "];
        let lines = module.lines().map(|line| line.strip_prefix("export ").unwrap_or(line));
        let named = lines.filter_map(|line| words.iter().find_map(|word| line.strip_prefix(word)));
        named
            .filter_map(|rest| rest.split(|letter: char| !is_of_name(letter)).next())
            .filter(|name| !name.is_empty())
            .collect()
    }

    fn is_of_name(letter: char) -> bool {
        letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'
    }

    #[test]
    fn each_name_of_the_shared_scope_is_declared_once() {
        let mut seen = BTreeSet::new();
        for (name, module) in MODULES {
            for declared in declared(module) {
                assert!(seen.insert(declared), "{name} declares {declared} again");
            }
        }
        assert!(seen.contains("fixed"), "{seen:?}");
    }

    #[test]
    fn a_module_imports_from_those_before_it_what_they_export() {
        for (index, (name, module)) in MODULES.iter().enumerate() {
            for line in module.lines().filter(|line| line.starts_with("import ")) {
                let (names, from) = line
                    .strip_prefix("import { ")
                    .and_then(|line| line.strip_suffix("\";"))
                    .and_then(|line| line.split_once(" } from \"./"))
                    .unwrap_or_else(|| panic!("{name}: {line}"));
                let from = MODULES[..index].iter().find(|(known, _)| *known == from);
                let (_, from) = from.unwrap_or_else(|| panic!("{name} comes too early: {line}"));
                for imported in names.split(", ") {
                    let exported = from.lines().filter_map(|line| line.strip_prefix("export "));
                    let exported = exported.flat_map(declared).any(|known| known == imported);
                    assert!(exported, "{name}: {imported} is not exported");
                }
            }
        }
    }

    #[test]
    fn comments_are_left_out_and_nothing_else() {
        let module = "// One.\nlet a = 1; // two\n\n/**\n * @param {x} y\n */\nlet b =\n  /** @type {z} */ (a);\n/** three */\nlet c;";
        let known = ["let a = 1; // two", "let b =", "  /** @type {z} */ (a);", "let c;"];
        assert_eq!(code(module).collect::<Vec<_>>(), known);
    }

    #[test]
    fn no_module_can_end_the_script_that_holds_it() {
        assert!(!script().to_lowercase().contains("</script"));
        assert!(!script().contains("<!--"));
    }
}
