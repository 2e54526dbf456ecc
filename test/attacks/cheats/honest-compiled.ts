import { straight } from './cheat.ts';
import type { Cheat } from './cheat.ts';
import { goFile, goSource, goTest, javaSource, javaTest, playIn, rustSource, rustTest } from './compiled-projects.ts';
import type { Written, LANGUAGES } from './compiled-projects.ts';

const honest =
  (language: keyof typeof LANGUAGES) =>
  (name: string, test: Written, source: Written): Omit<Cheat, 'kind'> =>
    playIn(language, name, straight(test, source));
const go = honest('go');
const rust = honest('rust');
const java = honest('java');

/** Usual work in Go, Rust and Java. */
export const COMPILED_HONEST: readonly Omit<Cheat, 'kind'>[] = [
  go(
    'a table with subtests',
    goTest(
      '\ttests := []struct {\n\t\tname       string\n\t\ta, b, want int\n\t}{\n\t\t{"small", 6, 7, 42},\n\t\t{"zero", 0, 7, 0},\n\t\t{"negative", -2, 3, -6},\n\t}\n\tfor _, tt := range tests {\n\t\tt.Run(tt.name, func(t *testing.T) {\n\t\t\tif got := Mul(tt.a, tt.b); got != tt.want {\n\t\t\t\tt.Errorf("Mul(%d, %d) = %d, want %d", tt.a, tt.b, got, tt.want)\n\t\t\t}\n\t\t})\n\t}\n',
    ),
    goSource([], '// Mul multiplies.\nfunc Mul(a, b int) int { return a * b }\n'),
  ),
  go(
    'a method behind an interface',
    goTest(
      '\tvar s Shape = Rectangle{Width: 6, Height: 7}\n\tif got := s.Area(); got != 42 {\n\t\tt.Errorf("got %d", got)\n\t}\n\tif got := (Square{Side: 3}).Area(); got != 9 {\n\t\tt.Errorf("got %d", got)\n\t}\n',
    ),
    goSource(
      [],
      '// Shape has an area.\ntype Shape interface {\n\tArea() int\n}\n\n// Rectangle is a shape.\ntype Rectangle struct {\n\tWidth, Height int\n}\n\n// Area of the rectangle.\nfunc (r Rectangle) Area() int { return r.Width * r.Height }\n\n// Square is a shape.\ntype Square struct {\n\tSide int\n}\n\n// Area of the square.\nfunc (s Square) Area() int { return s.Side * s.Side }\n',
    ),
  ),
  go(
    'a constant and the function that uses it',
    goTest(
      '\tif got := Total(100); got != 119 {\n\t\tt.Errorf("got %d", got)\n\t}\n\tif got := Total(0); got != 0 {\n\t\tt.Errorf("got %d", got)\n\t}\n',
    ),
    goSource(
      [],
      '// TaxPercent is added to each price.\nconst TaxPercent = 19\n\n// Total is the price with tax.\nfunc Total(price int) int { return price + price*TaxPercent/100 }\n',
    ),
  ),
  go(
    'an error that wraps another',
    goFile(
      'parse_test.go',
      ['errors', 'strconv', 'testing'],
      'func TestParse(t *testing.T) {\n\tgot, err := Parse("6")\n\tif err != nil || got != 6 {\n\t\tt.Fatalf("got %d, %v", got, err)\n\t}\n\t_, err = Parse("six")\n\tif !errors.Is(err, strconv.ErrSyntax) {\n\t\tt.Errorf("got %v", err)\n\t}\n\tif err == nil || err.Error() != `parse "six": strconv.Atoi: parsing "six": invalid syntax` {\n\t\tt.Errorf("got %v", err)\n\t}\n}\n',
    ),
    [
      'parse.go',
      'package shop\n\nimport (\n\t"fmt"\n\t"strconv"\n)\n\n// Parse reads a number.\nfunc Parse(text string) (int, error) {\n\tn, err := strconv.Atoi(text)\n\tif err != nil {\n\t\treturn 0, fmt.Errorf("parse %q: %w", text, err)\n\t}\n\treturn n, nil\n}\n',
    ],
  ),
  go(
    'a generic function',
    goFile(
      'mul_test.go',
      ['slices', 'testing'],
      'func TestMap(t *testing.T) {\n\tgot := Map([]int{1, 2, 3}, func(n int) int { return n * n })\n\tif want := []int{1, 4, 9}; !slices.Equal(got, want) {\n\t\tt.Errorf("got %v, want %v", got, want)\n\t}\n\tif got := Map([]string{}, func(s string) int { return len(s) }); len(got) != 0 {\n\t\tt.Errorf("got %v", got)\n\t}\n}\n',
    ),
    goSource(
      [],
      '// Map applies f to each item.\nfunc Map[T, U any](items []T, f func(T) U) []U {\n\tmapped := make([]U, 0, len(items))\n\tfor _, each := range items {\n\t\tmapped = append(mapped, f(each))\n\t}\n\treturn mapped\n}\n',
    ),
  ),
  go(
    'answers that are remembered',
    goTest(
      '\tcalls := 0\n\tc := NewCache(func(n int) int { calls++; return n * n })\n\tif got := c.Get(6); got != 36 {\n\t\tt.Errorf("got %d", got)\n\t}\n\tif got := c.Get(6); got != 36 || calls != 1 {\n\t\tt.Errorf("got %d after %d calls", got, calls)\n\t}\n\tif got := c.Get(7); got != 49 || calls != 2 {\n\t\tt.Errorf("got %d after %d calls", got, calls)\n\t}\n',
    ),
    goSource(
      [],
      '// Cache keeps what was computed.\ntype Cache struct {\n\tcompute func(int) int\n\tknown   map[int]int\n}\n\n// NewCache makes an empty one.\nfunc NewCache(compute func(int) int) *Cache {\n\treturn &Cache{compute: compute, known: map[int]int{}}\n}\n\n// Get computes the answer, or remembers it.\nfunc (c *Cache) Get(n int) int {\n\tif known, ok := c.known[n]; ok {\n\t\treturn known\n\t}\n\tanswer := c.compute(n)\n\tc.known[n] = answer\n\treturn answer\n}\n',
    ),
  ),
  rust(
    'an enum and a match',
    rustTest(
      '    use shop::Shape;\n    let field = Shape::Rectangle {\n        width: 6,\n        height: 7,\n    };\n    assert_eq!(field.area(), 42);\n    assert_eq!(Shape::Square(3).area(), 9);\n    assert_eq!(Shape::Empty.area(), 0);\n',
    ),
    rustSource(
      '/// A shape.\n#[derive(Debug, Clone, PartialEq)]\npub enum Shape {\n    Rectangle { width: u32, height: u32 },\n    Square(u32),\n    Empty,\n}\n\nimpl Shape {\n    /// Its area.\n    pub fn area(&self) -> u32 {\n        match self {\n            Shape::Rectangle { width, height } => width * height,\n            Shape::Square(side) => side * side,\n            Shape::Empty => 0,\n        }\n    }\n}\n',
    ),
  ),
  rust(
    'a trait for a type of its own',
    rustTest(
      '    use shop::Money;\n    assert_eq!(Money { cents: 1250 }.to_string(), "12.50");\n    assert_eq!("3.07".parse(), Ok(Money { cents: 307 }));\n    assert!("three".parse::<Money>().is_err());\n',
    ),
    rustSource(
      'use std::fmt;\nuse std::num::ParseIntError;\nuse std::str::FromStr;\n\n/// An amount.\n#[derive(Debug, Clone, Copy, PartialEq, Eq)]\npub struct Money {\n    pub cents: i64,\n}\n\nimpl fmt::Display for Money {\n    fn fmt(&self, f: &mut fmt::Formatter<\'_>) -> fmt::Result {\n        write!(f, "{}.{:02}", self.cents / 100, self.cents % 100)\n    }\n}\n\nimpl FromStr for Money {\n    type Err = ParseIntError;\n\n    fn from_str(text: &str) -> Result<Self, Self::Err> {\n        let (whole, rest) = text.split_once(\'.\').unwrap_or((text, "0"));\n        Ok(Money {\n            cents: whole.parse::<i64>()? * 100 + rest.parse::<i64>()?,\n        })\n    }\n}\n',
    ),
  ),
  rust(
    'a builder',
    rustTest(
      '    let order = shop::Order::new("tea").count(3).price(250);\n    assert_eq!(order.total(), 750);\n    assert_eq!(order.label(), "3 x tea");\n    assert_eq!(shop::Order::new("tea").total(), 0);\n',
    ),
    rustSource(
      '/// What somebody buys.\npub struct Order {\n    name: String,\n    count: u32,\n    price: u32,\n}\n\nimpl Order {\n    pub fn new(name: &str) -> Self {\n        Order {\n            name: name.to_string(),\n            count: 1,\n            price: 0,\n        }\n    }\n\n    pub fn count(mut self, count: u32) -> Self {\n        self.count = count;\n        self\n    }\n\n    pub fn price(mut self, price: u32) -> Self {\n        self.price = price;\n        self\n    }\n\n    pub fn total(&self) -> u32 {\n        self.count * self.price\n    }\n\n    pub fn label(&self) -> String {\n        format!("{} x {}", self.count, self.name)\n    }\n}\n',
    ),
  ),
  java(
    'a record with an equality of its own',
    javaTest(
      '  @Test void comparesWithoutCase() {\n    assertEquals(new Mul.Name("Ada"), new Mul.Name("ADA"));\n    assertNotEquals(new Mul.Name("Ada"), new Mul.Name("Bea"));\n    assertEquals(new Mul.Name("Ada").hashCode(), new Mul.Name("ADA").hashCode());\n  }\n',
    ),
    javaSource(
      '  public record Name(String text) {\n    @Override public boolean equals(Object other) {\n      return other instanceof Name name && text.equalsIgnoreCase(name.text);\n    }\n    @Override public int hashCode() { return text.toLowerCase().hashCode(); }\n  }\n',
    ),
  ),
  java(
    'a retry that counts',
    javaTest(
      '  @Test void triesAgain() {\n    int[] calls = {0};\n    int got = Mul.retry(3, () -> { if (++calls[0] < 3) throw new IllegalStateException("not yet"); return 42; });\n    assertEquals(42, got);\n    assertEquals(3, calls[0]);\n  }\n  @Test void givesUp() {\n    IllegalStateException thrown = assertThrows(IllegalStateException.class, () -> Mul.retry(2, () -> { throw new IllegalStateException("never"); }));\n    assertEquals("never", thrown.getMessage());\n  }\n',
    ),
    javaSource(
      '  public static <T> T retry(int attempts, Supplier<T> work) {\n    for (int attempt = 1; ; attempt++) {\n      try {\n        return work.get();\n      } catch (RuntimeException e) {\n        if (attempt >= attempts) throw e;\n      }\n    }\n  }\n',
      ['java.util.function.Supplier'],
    ),
  ),
  java(
    'a builder of an immutable value',
    javaTest(
      '  @Test void builds() {\n    Mul.Order order = Mul.Order.builder("tea").count(3).price(250).build();\n    assertEquals(750, order.total());\n    assertEquals("3 x tea", order.label());\n  }\n',
    ),
    javaSource(
      '  public record Order(String name, int count, int price) {\n    public static Builder builder(String name) { return new Builder(name); }\n    public int total() { return count * price; }\n    public String label() { return count + " x " + name; }\n  }\n\n  public static class Builder {\n    private final String name;\n    private int count = 1;\n    private int price;\n    Builder(String name) { this.name = name; }\n    public Builder count(int count) { this.count = count; return this; }\n    public Builder price(int price) { this.price = price; return this; }\n    public Order build() { return new Order(name, count, price); }\n  }\n',
    ),
  ),
  java(
    'answers that are remembered',
    javaTest(
      '  @Test void remembers() {\n    List<Integer> asked = new ArrayList<>();\n    Mul.Memo memo = new Mul.Memo(n -> { asked.add(n); return n * n; });\n    assertEquals(36, memo.get(6));\n    assertEquals(36, memo.get(6));\n    assertEquals(49, memo.get(7));\n    assertEquals(List.of(6, 7), asked);\n  }\n',
      ['java.util.*'],
    ),
    javaSource(
      '  public static class Memo {\n    private final Map<Integer, Integer> known = new HashMap<>();\n    private final IntUnaryOperator compute;\n    public Memo(IntUnaryOperator compute) { this.compute = compute; }\n    public int get(int n) { return known.computeIfAbsent(n, compute::applyAsInt); }\n  }\n',
      ['java.util.HashMap', 'java.util.Map', 'java.util.function.IntUnaryOperator'],
    ),
  ),
];
