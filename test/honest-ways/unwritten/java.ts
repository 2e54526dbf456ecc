import { JUPITER, pom } from '../../support/maven-toolchain.ts';
import type { RunnerWays, Step } from '../way.ts';

type Written = readonly [path: string, content: string];

const MAIN = 'src/main/java/shop';
const TESTS = 'src/test/java/shop';
const ASSERTIONS = 'import static org.junit.jupiter.api.Assertions.*;\n';

function main(name: string, content: string, imports: readonly string[] = []): Written {
  return [`${MAIN}/${name}.java`, `package shop;\n\n${importing(imports)}${content}`];
}

function test(name: string, content: string, imports: readonly string[] = []): Written {
  const listed = [...imports, 'org.junit.jupiter.api.Test'];
  return [
    `${TESTS}/${name}.java`,
    `package shop;\n\n${ASSERTIONS}\n${importing(listed)}class ${name} {\n${content}}\n`,
  ];
}

function importing(names: readonly string[]): string {
  return names.length === 0 ? '' : `${names.map((name) => `import ${name};\n`).join('')}\n`;
}

const inOrder = (tests: readonly Written[], sources: readonly Written[]): readonly Step[] => [
  ...tests,
  'run',
  ...sources,
  'run',
];

const CLOCK = main('Clock', 'public interface Clock {\n  long hours();\n}\n');
const STAMP = main(
  'Stamp',
  'public final class Stamp {\n  private Stamp() {}\n\n  public static String text(Clock clock) {\n    return "at " + clock.hours();\n  }\n}\n',
);
const PRICES = main(
  'Prices',
  'import java.util.Map;\n\npublic final class Prices {\n  private static final Map<String, Integer> CENTS = Map.of("tea", 250, "milk", 120);\n\n  private Prices() {}\n\n  public static int of(String name) {\n    return CENTS.getOrDefault(name, 0);\n  }\n}\n',
);
const OPTIONAL_PRICES = main(
  'Prices',
  'import java.util.Map;\nimport java.util.Optional;\n\npublic final class Prices {\n  private static final Map<String, Integer> CENTS = Map.of("tea", 250, "milk", 120);\n\n  private Prices() {}\n\n  public static Optional<Integer> of(String name) {\n    return Optional.ofNullable(CENTS.get(name));\n  }\n}\n',
);

/** Tests of Java that do not compile before their source is there. */
export const UNWRITTEN_JAVA: RunnerWays = {
  runner: 'maven',
  project: {
    'pom.xml': pom('shop', [JUPITER]),
    [`${MAIN}/Add.java`]:
      'package shop;\n\npublic final class Add {\n  private Add() {}\n\n  public static int add(int a, int b) {\n    return a + b;\n  }\n}\n',
    [`${TESTS}/AddTest.java`]: test('AddTest', '  @Test void adds() { assertEquals(3, Add.add(1, 2)); }\n')[1],
    '.gitignore': 'target\n',
  },
  ways: [
    {
      name: 'a fake that overrides the new method of an interface',
      files: Object.fromEntries([CLOCK, STAMP]),
      steps: inOrder(
        [
          test(
            'StampTest',
            '  private static final class FixedClock implements Clock {\n    private final String zone;\n\n    FixedClock(String zone) { this.zone = zone; }\n\n    @Override public long hours() { return 7; }\n\n    @Override public String zone() { return zone; }\n  }\n\n  @Test void namesTheZone() { assertEquals("at 7 CET", Stamp.text(new FixedClock("CET"))); }\n\n  @Test void namesAnotherZone() { assertEquals("at 7 UTC", Stamp.text(new FixedClock("UTC"))); }\n',
          ),
        ],
        [
          main('Clock', 'public interface Clock {\n  long hours();\n\n  String zone();\n}\n'),
          main(
            'Stamp',
            'public final class Stamp {\n  private Stamp() {}\n\n  public static String text(Clock clock) {\n    return "at " + clock.hours() + " " + clock.zone();\n  }\n}\n',
          ),
        ],
      ),
    },
    {
      name: 'an anonymous implementation of a new nested interface',
      steps: inOrder(
        [
          test(
            'ReportTest',
            '  @Test void formatsEachNumber() {\n    Report.Format doubled = new Report.Format() {\n      @Override public String of(int number) { return "<" + number * 2 + ">"; }\n    };\n    assertEquals("<2><14>", new Report(doubled).print(List.of(1, 7)));\n  }\n\n  @Test void formatsNothing() {\n    Report report = new Report(new Report.Format() {\n      @Override public String of(int number) { throw new IllegalStateException(); }\n    });\n    assertEquals("empty", report.print(List.of()));\n  }\n',
            ['java.util.List'],
          ),
        ],
        [
          main(
            'Report',
            'public final class Report {\n  public interface Format {\n    String of(int number);\n  }\n\n  private final Format format;\n\n  public Report(Format format) {\n    this.format = format;\n  }\n\n  public String print(List<Integer> numbers) {\n    if (numbers.isEmpty()) {\n      return "empty";\n    }\n    StringBuilder text = new StringBuilder();\n    for (int number : numbers) {\n      text.append(format.of(number));\n    }\n    return text.toString();\n  }\n}\n',
            ['java.util.List'],
          ),
        ],
      ),
    },
    {
      name: 'a static import of a new method',
      steps: inOrder(
        [
          [
            `${TESTS}/MulTest.java`,
            'package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nimport static shop.Add.mul;\n\nimport org.junit.jupiter.api.Test;\n\nclass MulTest {\n  @Test void multiplies() { assertEquals(42, mul(6, 7)); }\n\n  @Test void multipliesSmallNumbers() { assertEquals(12, mul(3, 4)); }\n}\n',
          ],
        ],
        [
          main(
            'Add',
            'public final class Add {\n  private Add() {}\n\n  public static int add(int a, int b) {\n    return a + b;\n  }\n\n  public static int mul(int a, int b) {\n    return a * b;\n  }\n}\n',
          ),
        ],
      ),
    },
    {
      name: 'a static import of a method of a new class',
      steps: inOrder(
        [
          [
            `${TESTS}/TotalsTest.java`,
            'package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\nimport static shop.Totals.sum;\n\nimport org.junit.jupiter.api.Test;\n\nclass TotalsTest {\n  @Test void sums() { assertEquals(42, sum(6, 7, 29)); }\n\n  @Test void sumsNothing() { assertEquals(0, sum()); }\n}\n',
          ],
        ],
        [
          main(
            'Totals',
            'public final class Totals {\n  private Totals() {}\n\n  public static int sum(int... numbers) {\n    int total = 0;\n    for (int number : numbers) {\n      total += number;\n    }\n    return total;\n  }\n}\n',
          ),
        ],
      ),
    },
    {
      name: 'an old method with another type of result, in a variable',
      files: Object.fromEntries([PRICES]),
      steps: inOrder(
        [
          test(
            'PricesTest',
            '  @Test void findsPrices() {\n    Optional<Integer> tea = Prices.of("tea");\n    assertEquals(Optional.of(250), tea);\n    assertEquals(Optional.of(120), Prices.of("milk"));\n  }\n\n  @Test void findsNoPrice() {\n    Optional<Integer> salt = Prices.of("salt");\n    assertEquals(Optional.empty(), salt);\n  }\n',
            ['java.util.Optional'],
          ),
        ],
        [OPTIONAL_PRICES],
      ),
    },
    {
      name: 'an old method with another type of result, of which a method is called',
      files: Object.fromEntries([PRICES]),
      steps: inOrder(
        [
          test(
            'PricesTest',
            '  @Test void findsPrices() {\n    assertEquals(250, Prices.of("tea").get());\n    assertEquals(120, Prices.of("milk").get());\n  }\n\n  @Test void findsNoPrice() { assertTrue(Prices.of("salt").isEmpty()); }\n',
          ),
        ],
        [OPTIONAL_PRICES],
      ),
    },
    {
      name: 'a fake of a new interface in a file of its own',
      steps: inOrder(
        [
          [
            `${TESTS}/FakeMailer.java`,
            'package shop;\n\nimport java.util.ArrayList;\nimport java.util.List;\n\nfinal class FakeMailer implements Mailer {\n  final List<String> sent = new ArrayList<>();\n\n  @Override public void send(String to, String text) {\n    sent.add(to + ": " + text);\n  }\n}\n',
          ],
          test(
            'WelcomeTest',
            '  @Test void welcomesByName() {\n    FakeMailer mailer = new FakeMailer();\n    new Welcome(mailer).to("ada@example.org", "Ada");\n    new Welcome(mailer).to("bea@example.org", "Bea");\n    assertEquals(List.of("ada@example.org: Welcome, Ada", "bea@example.org: Welcome, Bea"), mailer.sent);\n  }\n',
            ['java.util.List'],
          ),
        ],
        [
          main('Mailer', 'public interface Mailer {\n  void send(String to, String text);\n}\n'),
          main(
            'Welcome',
            'public final class Welcome {\n  private final Mailer mailer;\n\n  public Welcome(Mailer mailer) {\n    this.mailer = mailer;\n  }\n\n  public void to(String address, String name) {\n    mailer.send(address, "Welcome, " + name);\n  }\n}\n',
          ),
        ],
      ),
    },
    {
      name: 'a lambda and a new exception',
      files: Object.fromEntries([
        main(
          'Stock',
          'public final class Stock {\n  private int count;\n\n  public Stock(int count) {\n    this.count = count;\n  }\n\n  public int take(int wanted) {\n    count -= wanted;\n    return count;\n  }\n}\n',
        ),
      ]),
      steps: inOrder(
        [
          test(
            'StockTest',
            '  @Test void refusesMoreThanThereIs() {\n    Stock stock = new Stock(2);\n    OutOfStock thrown = assertThrows(OutOfStock.class, () -> stock.take(3));\n    assertEquals("1 missing", thrown.getMessage());\n    assertEquals(1, thrown.missing());\n  }\n\n  @Test void takesWhatThereIs() { assertEquals(1, new Stock(4).take(3)); }\n',
          ),
        ],
        [
          main(
            'OutOfStock',
            'public final class OutOfStock extends RuntimeException {\n  private final int missing;\n\n  public OutOfStock(int missing) {\n    super(missing + " missing");\n    this.missing = missing;\n  }\n\n  public int missing() {\n    return missing;\n  }\n}\n',
          ),
          main(
            'Stock',
            'public final class Stock {\n  private int count;\n\n  public Stock(int count) {\n    this.count = count;\n  }\n\n  public int take(int wanted) {\n    if (wanted > count) {\n      throw new OutOfStock(wanted - count);\n    }\n    count -= wanted;\n    return count;\n  }\n}\n',
          ),
        ],
      ),
    },
  ],
};
