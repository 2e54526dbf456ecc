import { testFirst } from '../way.ts';
import type { RunnerWays } from '../way.ts';

const ADD = 'pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n';
const HALF = 'pub fn half(n: u32) -> u32 {\n    n / 2\n}\n';
const OPTIONAL_HALF =
  'pub fn half(n: u32) -> Option<u32> {\n    if n % 2 == 0 {\n        Some(n / 2)\n    } else {\n        None\n    }\n}\n';
const LABEL = 'pub fn label(code: u32) -> String {\n    format!("no. {code}")\n}\n';
const OPTIONAL_LABEL =
  'pub fn label(code: u32) -> Option<String> {\n    if code == 0 {\n        return None;\n    }\n    Some(format!("no. {code}"))\n}\n';
const CLOCK = 'pub trait Clock {\n    fn hours(&self) -> u32;\n}\n';
const STAMP = 'pub fn stamp(clock: &dyn Clock) -> String {\n    format!("at {}", clock.hours())\n}\n';
const SHAPE =
  '#[derive(Debug, PartialEq)]\npub enum Shape {\n    Square(u32),\n}\n\npub fn parse(text: &str) -> Option<Shape> {\n    let side = text.strip_prefix("square ")?;\n    Some(Shape::Square(side.parse().ok()?))\n}\n';
const SHAPES =
  '#[derive(Debug, PartialEq)]\npub enum Shape {\n    Square(u32),\n    Circle(u32),\n}\n\npub fn parse(text: &str) -> Option<Shape> {\n    if let Some(radius) = text.strip_prefix("circle ") {\n        return Some(Shape::Circle(radius.parse().ok()?));\n    }\n    let side = text.strip_prefix("square ")?;\n    Some(Shape::Square(side.parse().ok()?))\n}\n';

const lib = (...parts: readonly string[]): readonly [string, string] => ['src/lib.rs', [ADD, ...parts].join('\n')];
const files = (...parts: readonly string[]): Readonly<Record<string, string>> => Object.fromEntries([lib(...parts)]);

/** Tests of Rust that do not compile before their source is there. */
export const UNWRITTEN_RUST: RunnerWays = {
  runner: 'cargo-test',
  project: {
    'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': ADD,
    'tests/add.rs': '#[test]\nfn adds() {\n    assert_eq!(shop::add(1, 2), 3);\n}\n',
    '.gitignore': 'target\n',
  },
  ways: [
    {
      name: 'a helper of the tests that uses a new type',
      steps: [
        [
          'tests/common/mod.rs',
          'use shop::Cart;\n\npub fn filled() -> Cart {\n    let mut cart = Cart::new();\n    cart.add("tea", 250);\n    cart.add("milk", 120);\n    cart\n}\n',
        ],
        ...testFirst(
          [
            'tests/cart.rs',
            'mod common;\n\n#[test]\nfn sums_prices() {\n    assert_eq!(common::filled().total(), 370);\n}\n\n#[test]\nfn sums_one_more() {\n    let mut cart = common::filled();\n    cart.add("salt", 80);\n    assert_eq!(cart.total(), 450);\n}\n',
          ],
          lib(
            '#[derive(Default)]\npub struct Cart {\n    items: Vec<(String, u32)>,\n}\n\nimpl Cart {\n    pub fn new() -> Self {\n        Self::default()\n    }\n\n    pub fn add(&mut self, name: &str, price: u32) {\n        self.items.push((name.to_string(), price));\n    }\n\n    pub fn total(&self) -> u32 {\n        self.items.iter().map(|(_, price)| price).sum()\n    }\n}\n',
          ),
        ),
      ],
    },
    {
      name: 'an old function with another type of result, in assert_eq',
      files: files(HALF),
      steps: testFirst(
        [
          'tests/half.rs',
          'use shop::half;\n\n#[test]\nfn halves_even_numbers() {\n    assert_eq!(half(500), Some(250));\n    assert_eq!(half(240), Some(120));\n}\n\n#[test]\nfn halves_no_odd_number() {\n    assert_eq!(half(3), None);\n}\n',
        ],
        lib(OPTIONAL_HALF),
      ),
    },
    {
      name: 'an old function whose text cannot be compared with its new result',
      files: files(LABEL),
      steps: testFirst(
        [
          'tests/label.rs',
          'use shop::label;\n\n#[test]\nfn finds_labels() {\n    assert_eq!(label(1), Some("no. 1".to_string()));\n    assert_eq!(label(27), Some("no. 27".to_string()));\n}\n\n#[test]\nfn finds_no_label() {\n    assert_eq!(label(0), None);\n}\n',
        ],
        lib(OPTIONAL_LABEL),
      ),
    },
    {
      name: 'an old function with another type of result, in a variable',
      files: files(HALF),
      steps: testFirst(
        [
          'tests/half.rs',
          '#[test]\nfn halves_even_numbers() {\n    let first = shop::half(500);\n    let second: Option<u32> = shop::half(240);\n    let expected: Option<u32> = Some(250);\n    assert_eq!(first, expected);\n    assert_eq!(second, Some(120));\n}\n\n#[test]\nfn halves_no_odd_number() {\n    assert!(shop::half(3).is_none());\n}\n',
        ],
        lib(OPTIONAL_HALF),
      ),
    },
    {
      name: 'a fake of a new trait',
      steps: testFirst(
        [
          'tests/stamp.rs',
          'use shop::{stamp, Clock};\n\nstruct Fixed(u32);\n\nimpl Clock for Fixed {\n    fn hours(&self) -> u32 {\n        self.0\n    }\n}\n\n#[test]\nfn names_the_hour() {\n    assert_eq!(stamp(&Fixed(7)), "at 7");\n    assert_eq!(stamp(&Fixed(12)), "at 12");\n}\n',
        ],
        lib(CLOCK, STAMP),
      ),
    },
    {
      name: 'a fake of a new trait in the unit tests of its source',
      files: { 'src/lib.rs': `pub mod stamp;\n\n${ADD}`, 'src/stamp.rs': 'pub const HOURS: u32 = 24;\n' },
      steps: testFirst(
        [
          'src/stamp.rs',
          'pub const HOURS: u32 = 24;\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    struct Fixed {\n        hours: u32,\n    }\n\n    impl Clock for Fixed {\n        fn hours(&self) -> u32 {\n            self.hours\n        }\n    }\n\n    #[test]\n    fn names_the_hour() {\n        assert_eq!(stamp(&Fixed { hours: 7 }), "at 7");\n        assert_eq!(stamp(&Fixed { hours: 12 }), "at 12");\n    }\n}\n',
        ],
        [
          'src/stamp.rs',
          `pub const HOURS: u32 = 24;\n\n${CLOCK}\n${STAMP}\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    struct Fixed {\n        hours: u32,\n    }\n\n    impl Clock for Fixed {\n        fn hours(&self) -> u32 {\n            self.hours\n        }\n    }\n\n    #[test]\n    fn names_the_hour() {\n        assert_eq!(stamp(&Fixed { hours: 7 }), "at 7");\n        assert_eq!(stamp(&Fixed { hours: 12 }), "at 12");\n    }\n}\n`,
        ],
      ),
    },
    {
      name: 'a fake with the new method of an old trait',
      files: files(CLOCK, STAMP),
      steps: testFirst(
        [
          'tests/stamp.rs',
          'struct Fixed(&\'static str);\n\nimpl shop::Clock for Fixed {\n    fn hours(&self) -> u32 {\n        7\n    }\n\n    fn zone(&self) -> &str {\n        self.0\n    }\n}\n\n#[test]\nfn names_the_zone() {\n    assert_eq!(shop::stamp(&Fixed("CET")), "at 7 CET");\n    assert_eq!(shop::stamp(&Fixed("UTC")), "at 7 UTC");\n}\n',
        ],
        lib(
          'pub trait Clock {\n    fn hours(&self) -> u32;\n    fn zone(&self) -> &str;\n}\n',
          'pub fn stamp(clock: &dyn Clock) -> String {\n    format!("at {} {}", clock.hours(), clock.zone())\n}\n',
        ),
      ),
    },
    {
      name: 'a new variant of an enum in a pattern',
      files: files(SHAPE),
      steps: testFirst(
        [
          'tests/shape.rs',
          'use shop::{parse, Shape};\n\nfn radius(text: &str) -> u32 {\n    match parse(text) {\n        Some(Shape::Circle(radius)) => radius,\n        other => panic!("{other:?}"),\n    }\n}\n\n#[test]\nfn parses_circles() {\n    assert_eq!(radius("circle 7"), 7);\n    assert_eq!(radius("circle 12"), 12);\n}\n\n#[test]\nfn refuses_other_text() {\n    assert_eq!(parse("circle x"), None);\n    assert!(!matches!(parse("square 7"), Some(Shape::Circle(_))));\n}\n',
        ],
        lib(SHAPES),
      ),
    },
  ],
};
