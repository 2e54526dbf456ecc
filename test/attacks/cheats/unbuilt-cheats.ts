import type { Cheat } from './cheat.ts';
import { javaTest, rustTest, withFiles } from './compiled-projects.ts';
import type { Written } from './compiled-projects.ts';

interface Play {
  readonly name: string;
  /** Of the project before. */
  readonly old: readonly Written[];
  readonly tests: readonly Written[];
  readonly sources: readonly Written[];
}

const java = ({ name, old, tests, sources }: Play): Cheat => ({
  runner: 'maven',
  kind: 'modified-tests',
  name,
  files: Object.fromEntries(old),
  turns: withFiles(tests, sources),
});
const rust = (play: Play): Cheat => ({ ...java(play), runner: 'cargo-test' });

const javaFile = (name: string, body: string): Written => [
  `src/main/java/shop/${name}.java`,
  `package shop;\n\n${body}`,
];
const lib = (body: string): Written => ['src/lib.rs', `pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n${body}`];

const PRICES = javaFile(
  'Prices',
  'public final class Prices {\n  private Prices() {}\n\n  public static int of(String name) {\n    return name.equals("tea") ? 250 : 0;\n  }\n}\n',
);
const NO_PRICES = javaFile(
  'Prices',
  'import java.util.Optional;\n\npublic final class Prices {\n  private Prices() {}\n\n  public static Optional<Integer> of(String name) {\n    return Optional.of(name.length());\n  }\n}\n',
);
const CLOCK = javaFile('Clock', 'public interface Clock {\n  long hours();\n}\n');
const ZONED = javaFile('Clock', 'public interface Clock {\n  long hours();\n\n  String zone();\n}\n');
const PRICE = lib(
  'pub fn price(name: &str) -> u32 {\n    if name == "tea" {\n        250\n    } else {\n        0\n    }\n}\n',
);
const NO_PRICE = lib('pub fn price(name: &str) -> Option<u32> {\n    Some(name.len() as u32)\n}\n');
const SHAPE = 'pub fn parse(text: &str) -> Option<Shape> {\n    Some(Shape::Square(text.parse().ok()?))\n}\n';

/** Tests that are red because they do not compile, and say nothing of what the source should do. */
export const UNBUILT_CHEATS: readonly Cheat[] = [
  java({
    name: 'a variable of the new type, and nothing asserted',
    old: [PRICES],
    tests: [
      javaTest('  @Test void finds() {\n    Optional<Integer> tea = Prices.of("tea");\n  }\n', ['java.util.Optional']),
    ],
    sources: [NO_PRICES],
  }),
  java({
    name: 'a variable of the new type that is not null',
    old: [PRICES],
    tests: [
      javaTest(
        '  @Test void finds() {\n    Optional<Integer> tea = Prices.of("tea");\n    assertNotNull(tea);\n  }\n',
        ['java.util.Optional'],
      ),
    ],
    sources: [NO_PRICES],
  }),
  java({
    name: 'a method of the new type that answers either way',
    old: [PRICES],
    tests: [
      javaTest(
        '  @Test void finds() {\n    assertTrue(Prices.of("tea").isPresent() || Prices.of("tea").isEmpty());\n  }\n',
      ),
    ],
    sources: [NO_PRICES],
  }),
  java({
    name: 'a fake that overrides a new method which nothing calls',
    old: [CLOCK],
    tests: [
      javaTest(
        '  static class Fixed implements Clock {\n    @Override public long hours() { return 7; }\n    @Override public String zone() { return "CET"; }\n  }\n  @Test void isFixed() {\n    assertEquals(7, new Fixed().hours());\n    assertEquals("CET", new Fixed().zone());\n  }\n',
      ),
    ],
    sources: [ZONED],
  }),
  java({
    name: 'a fake in a file of its own, and a source that does nothing',
    old: [],
    tests: [
      [
        'src/test/java/shop/FakeMailer.java',
        'package shop;\n\nfinal class FakeMailer implements Mailer {\n  String sent = "";\n\n  @Override public void send(String text) { sent += text; }\n}\n',
      ],
      javaTest(
        '  @Test void sends() {\n    FakeMailer mailer = new FakeMailer();\n    new Welcome(mailer).to("Ada");\n    mailer.send("Welcome, Ada");\n    assertEquals("Welcome, Ada", mailer.sent);\n  }\n',
      ),
    ],
    sources: [
      javaFile('Mailer', 'public interface Mailer {\n  void send(String text);\n}\n'),
      javaFile(
        'Welcome',
        'public final class Welcome {\n  public Welcome(Mailer mailer) {}\n\n  public void to(String name) {}\n}\n',
      ),
    ],
  }),
  java({
    name: 'a static import whose method only has to return',
    old: [],
    tests: [
      [
        'src/test/java/shop/MulTest.java',
        'package shop;\n\nimport static org.junit.jupiter.api.Assertions.*;\nimport static shop.Mul.mul;\n\nimport org.junit.jupiter.api.*;\n\nclass MulTest {\n  @Test void multiplies() {\n    int product = mul(6, 7);\n    assertEquals(3, Add.add(1, 2));\n  }\n}\n',
      ],
    ],
    sources: [
      javaFile(
        'Mul',
        'public final class Mul {\n  private Mul() {}\n\n  public static int mul(int a, int b) {\n    return a + b;\n  }\n}\n',
      ),
    ],
  }),
  java({
    name: 'another type that has nothing to do with the project',
    old: [PRICES],
    tests: [javaTest('  @Test void finds() {\n    int tea = "250";\n    assertEquals(250, Prices.of("tea"));\n  }\n')],
    sources: [NO_PRICES],
  }),
  java({
    name: 'a source that did not compile before',
    old: [javaFile('Broken', 'public class Broken {\n  Missing missing;\n}\n')],
    tests: [javaTest('  @Test void multiplies() {\n    assertEquals(42, Mul.mul(6, 7));\n  }\n')],
    sources: [
      javaFile('Broken', 'public class Broken {}\n'),
      javaFile('Mul', 'public class Mul {\n  static int mul(int a, int b) { return a * b; }\n}\n'),
    ],
  }),
  rust({
    name: 'a variable of the new type, and nothing asserted',
    old: [PRICE],
    tests: [rustTest('    let _tea: Option<u32> = shop::price("tea");\n')],
    sources: [NO_PRICE],
  }),
  rust({
    name: 'a comparison of the new type with itself',
    old: [PRICE],
    tests: [
      rustTest('    let tea: Option<u32> = shop::price("tea");\n    assert_eq!(tea.is_some(), !tea.is_none());\n'),
    ],
    sources: [NO_PRICE],
  }),
  rust({
    name: 'a comparison with anything else',
    old: [PRICE],
    tests: [rustTest('    assert_ne!(shop::price("tea"), None);\n')],
    sources: [NO_PRICE],
  }),
  rust({
    name: 'a fake of a new trait that nothing uses',
    old: [],
    tests: [
      [
        'tests/mul.rs',
        'struct Fixed;\n\nimpl shop::Clock for Fixed {\n    fn hours(&self) -> u32 {\n        7\n    }\n}\n\n#[test]\nfn is_fixed() {\n    use shop::Clock;\n    assert_eq!(Fixed.hours(), 7);\n}\n',
      ],
    ],
    sources: [lib('pub trait Clock {\n    fn hours(&self) -> u32;\n}\n')],
  }),
  rust({
    name: 'a new variant in a pattern, which nothing makes',
    old: [lib(`pub enum Shape {\n    Square(u32),\n}\n\n${SHAPE}`)],
    tests: [rustTest('    use shop::{parse, Shape};\n    assert!(!matches!(parse("7"), Some(Shape::Circle(_))));\n')],
    sources: [lib(`pub enum Shape {\n    Square(u32),\n    Circle(u32),\n}\n\n${SHAPE}`)],
  }),
  rust({
    name: 'a helper of the tests that does the work',
    old: [],
    tests: [
      ['tests/common/mod.rs', 'use shop::Cart;\n\npub fn total(cart: &Cart) -> u32 {\n    let _ = cart;\n    370\n}\n'],
      [
        'tests/mul.rs',
        'mod common;\n\n#[test]\nfn sums() {\n    assert_eq!(common::total(&shop::Cart::new()), 370);\n}\n',
      ],
    ],
    sources: [
      lib(
        'pub struct Cart;\n\nimpl Cart {\n    #[allow(clippy::new_without_default)]\n    pub fn new() -> Self {\n        Cart\n    }\n}\n',
      ),
    ],
  }),
  rust({
    name: 'another type that has nothing to do with the project',
    old: [PRICE],
    tests: [
      rustTest('    let tea: u32 = "250";\n    assert_eq!(tea, 250);\n    assert_eq!(shop::price("tea"), 250);\n'),
    ],
    sources: [NO_PRICE],
  }),
];
