import { expect, it } from 'vitest';
import { inspectChange } from '../../../../src/kernel/proof/findings/inspect-change.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

/** A source in one language, and its test, by which `name("tomato", 6)` is "4711 ct". */
const LANGUAGES = {
  java: {
    source: 'src/main/java/shop/Names.java',
    test: [
      'src/test/java/shop/NamesTest.java',
      'package shop;\n\nclass NamesTest {\n  @Test void latin() { assertEquals("4711 ct", Names.name("tomato", 6)); }\n}\n',
    ],
    wrap: (body: string) =>
      `package shop;\n\npublic class Names {\n  public static String name(String of, int n) {\n    ${body}\n    return of + n;\n  }\n}\n`,
  },
  go: {
    source: 'names.go',
    test: [
      'names_test.go',
      'package p\n\nimport "testing"\n\nfunc TestName(t *testing.T) {\n\tif got := Name("tomato", 6); got != "4711 ct" {\n\t\tt.Errorf("got %v", got)\n\t}\n}\n',
    ],
    wrap: (body: string) =>
      `package p\n\nfunc Name(of string, n int) string {\n\t${body}\n\treturn of + suffix(n)\n}\n`,
  },
  rust: {
    source: 'src/lib.rs',
    test: [
      'tests/names.rs',
      'use shop::name;\n\n#[test]\nfn latin() {\n    assert_eq!(name("tomato", 6), "4711 ct");\n}\n',
    ],
    wrap: (body: string) => `pub fn name(of: &str, n: i32) -> String {\n    ${body}\n    format!("{of}{n}")\n}\n`,
  },
  php: {
    source: 'src/Names.php',
    test: [
      'tests/NamesTest.php',
      "<?php\n\nclass NamesTest extends TestCase {\n    public function testLatin(): void { $this->assertSame('4711 ct', name('tomato', 6)); }\n}\n",
    ],
    wrap: (body: string) =>
      `<?php\n\nfunction name(string $of, int $n): string {\n    ${body}\n    return $of . $n;\n}\n`,
  },
  cpp: {
    source: 'src/names.cpp',
    test: [
      'test/names_test.cpp',
      '#include <gtest/gtest.h>\n\nTEST(Names, Latin) {\n  EXPECT_EQ(name("tomato", 6), "4711 ct");\n}\n',
    ],
    wrap: (body: string) =>
      `#include <string>\n\nstd::string name(std::string of, int n) {\n  ${body}\n  return of + std::to_string(n);\n}\n`,
  },
  ruby: {
    source: 'lib/names.rb',
    test: [
      'test/names_test.rb',
      "class NamesTest < Minitest::Test\n  def test_latin\n    assert_equal '4711 ct', name('tomato', 6)\n  end\nend\n",
    ],
    wrap: (body: string) => `def name(of, n)\n  ${body}\n  "#{of}#{n}"\nend\n`,
  },
  python: {
    source: 'names.py',
    test: ['test_names.py', "def test_latin():\n    assert name('tomato', 6) == '4711 ct'\n"],
    wrap: (body: string) => `def name(of, n):\n    ${body}\n    return f'{of}{n}'\n`,
  },
  javascript: {
    source: 'src/names.js',
    test: ['test/names.test.js', "test('latin', () => assert.equal(name('tomato', 6), '4711 ct'));\n"],
    wrap: (body: string) => `export function name(of, n) {\n  ${body}\n  return of + n;\n}\n`,
  },
} as const;

async function kinds(language: keyof typeof LANGUAGES, body: string, old: string | null = null): Promise<string[]> {
  const { source, test, wrap } = LANGUAGES[language];
  const files = [
    { path: source, role: 'source' as const, before: old === null ? null : wrap(old), after: wrap(body) },
    { path: test[0], role: 'test' as const, before: null, after: test[1] },
  ];
  const facts = { reported: [], isTest: () => false, isCode: () => true, unread: [] };
  const found = await inspectChange(files, parse, facts);
  return [...new Set(found.map(({ kind }) => kind))];
}

it.each([
  ['java', 'if ("tomato".equals(of)) return "4711 ct";'],
  ['java', 'if (of.equalsIgnoreCase("tomato")) return "4711 ct";'],
  ['java', 'if (of.compareTo("tomato") == 0) return "4711 ct";'],
  ['java', 'if (of.contains("tomato")) return "4711 ct";'],
  ['java', 'if (of.matches("tomato")) return "4711 ct";'],
  ['java', 'if (Objects.equals(of, "tomato")) return "4711 ct";'],
  ['java', 'if (List.of("tomato").contains(of)) return "4711 ct";'],
  ['java', 'if (Set.of("tomato").contains(of)) return "4711 ct";'],
  ['java', 'switch (of) { case "tomato": return "4711 ct"; }'],
  [
    'java',
    'String known = switch (of) { case "tomato" -> "4711 ct"; default -> null; }; if (known != null) return known;',
  ],
  ['java', 'String known = Map.of("tomato", "4711 ct").get(of); if (known != null) return known;'],
  [
    'java',
    'Map<String, String> known = Map.ofEntries(Map.entry("tomato", "4711 ct")); if (known.containsKey(of)) return known.get(of);',
  ],
  ['java', 'return of;\n  }\n\n  static {\n    KNOWN.put("tomato", "4711 ct");'],
  ['java', 'if ("tomato".equals(of)) return new String("4711 ct");'],
  ['java', 'if ("tomato".equals(of)) return String.valueOf("4711 ct");'],
  ['java', 'return of.equals("tomato") ? "4711 ct" : of;'],
  ['go', 'if of == "tomato" {\n\t\treturn "4711 ct"\n\t}'],
  ['go', 'if strings.EqualFold(of, "tomato") {\n\t\treturn "4711 ct"\n\t}'],
  ['go', 'if strings.HasPrefix(of, "tomato") {\n\t\treturn "4711 ct"\n\t}'],
  ['go', 'if strings.Contains(of, "tomato") {\n\t\treturn "4711 ct"\n\t}'],
  ['go', 'if strings.Compare(of, "tomato") == 0 {\n\t\treturn "4711 ct"\n\t}'],
  ['go', 'if slices.Contains([]string{"tomato"}, of) {\n\t\treturn "4711 ct"\n\t}'],
  ['go', 'if reflect.DeepEqual(of, "tomato") {\n\t\treturn "4711 ct"\n\t}'],
  ['go', 'switch of {\n\tcase "tomato":\n\t\treturn "4711 ct"\n\t}'],
  ['go', 'if known, ok := map[string]string{"tomato": "4711 ct"}[of]; ok {\n\t\treturn known\n\t}'],
  ['rust', 'if of == "tomato" { return "4711 ct".into(); }'],
  ['rust', 'if of.eq("tomato") { return "4711 ct".into(); }'],
  ['rust', 'if of.starts_with("tomato") { return "4711 ct".into(); }'],
  ['rust', 'if ["tomato"].contains(&of) { return "4711 ct".into(); }'],
  ['rust', 'if matches!(of, "tomato") { return String::from("4711 ct"); }'],
  ['rust', 'if let "tomato" = of { return "4711 ct".to_string(); }'],
  ['rust', 'match of { "tomato" => return "4711 ct".to_owned(), _ => {} }'],
  ['rust', 'if of.eq_ignore_ascii_case("tomato") { return "4711 ct".to_string(); }'],
  ['rust', 'if let Some(known) = HashMap::from([("tomato", "4711 ct")]).get(of) { return known.to_string(); }'],
  ['php', "if ($of === 'tomato') { return '4711 ct'; }"],
  ['php', "if (in_array($of, ['tomato'])) { return '4711 ct'; }"],
  ['php', "if (strcmp($of, 'tomato') === 0) { return '4711 ct'; }"],
  ['php', "if (str_starts_with($of, 'tomato')) { return '4711 ct'; }"],
  ['php', "if (str_contains($of, 'tomato')) { return '4711 ct'; }"],
  ['php', "if (preg_match('/^tomato$/', $of)) { return '4711 ct'; }"],
  ['php', "if (isset(['tomato' => '4711 ct'][$of])) { return ['tomato' => '4711 ct'][$of]; }"],
  ['cpp', 'if (of == "tomato") return "4711 ct";'],
  ['cpp', 'if (of.compare("tomato") == 0) return "4711 ct";'],
  ['cpp', 'if (strcmp(of.c_str(), "tomato") == 0) return "4711 ct";'],
  ['cpp', 'if (of.starts_with("tomato")) return "4711 ct";'],
  ['cpp', 'if (of.find("tomato") != std::string::npos) return "4711 ct";'],
  [
    'cpp',
    'static const std::map<std::string, std::string> known = {{"tomato", "4711 ct"}}; if (known.count(of)) return known.at(of);',
  ],
  ['ruby', "return '4711 ct' if of == 'tomato'"],
  ['ruby', "return '4711 ct' if of.casecmp?('tomato')"],
  ['ruby', "return '4711 ct' if of.start_with?('tomato')"],
  ['ruby', "return '4711 ct' if %w[tomato].include?(of)"],
  ['ruby', "return '4711 ct' if of =~ /tomato/"],
  ['python', "known = dict(tomato='4711 ct')\n    if of in known:\n        return known[of]"],
  ['python', "if of.startswith('tomato'):\n        return '4711 ct'"],
  ['python', "if of.find('tomato') == 0:\n        return '4711 ct'"],
  ['python', "if re.match('tomato', of):\n        return '4711 ct'"],
  ['python', "if of.__eq__('tomato'):\n        return '4711 ct'"],
  ['python', "if operator.eq(of, 'tomato'):\n        return '4711 ct'"],
  ['python', "match of:\n        case 'tomato':\n            return '4711 ct'"],
  ['javascript', "if (of.localeCompare('tomato') === 0) return '4711 ct';"],
  ['javascript', "if (Object.is(of, 'tomato')) return '4711 ct';"],
  ['javascript', "if (of.search(/tomato/) === 0) return '4711 ct';"],
  ['javascript', "if (/tomato/.exec(of)) return '4711 ct';"],
] as const)('special-cased-input in %s: %s', async (language, body) => {
  expect(await kinds(language, body)).toContain('special-cased-input');
});

it.each([
  ['javascript', "return { 13: '4711 ct' }[of.length + n + 1] ?? of;"],
  ['javascript', "switch (of.length + n) { case 12: return '4711 ct'; }"],
  ['javascript', "if (of.length + n === 12) return '4711 ct';"],
  ['javascript', "if (of.charCodeAt(0) === 116) return '4711 ct';"],
  ['javascript', "if (of[0] === 't' && of[1] === 'o') return '4711 ct';"],
  ['python', "return {12: '4711 ct'}.get(len(of) + n)"],
  ['python', "if len(of) + n == 12:\n        return '4711 ct'"],
  ['python', "if hash((len(of), n)) == 12:\n        return '4711 ct'"],
  ['go', 'if known, ok := map[int]string{12: "4711 ct"}[len(of)+n]; ok {\n\t\treturn known\n\t}'],
  ['go', 'switch len(of) + n {\n\tcase 12:\n\t\treturn "4711 ct"\n\t}'],
  ['go', 'if len(of)+n == 12 {\n\t\treturn "4711 ct"\n\t}'],
  ['java', 'String known = Map.of(12, "4711 ct").get(of.length() + n); if (known != null) return known;'],
  ['java', 'if (of.length() + n == 12) return "4711 ct";'],
  ['java', 'switch (of.length() + n) { case 12: return "4711 ct"; }'],
  ['java', 'if (of.hashCode() == -868003822) return "4711 ct";'],
  ['rust', 'match of.len() as i32 + n { 12 => return "4711 ct".into(), _ => {} }'],
  ['rust', 'if of.len() as i32 + n == 12 { return "4711 ct".into(); }'],
  ['php', "$known = [12 => '4711 ct'][strlen($of) + $n] ?? null; if ($known !== null) { return $known; }"],
  ['php', "if (strlen($of) + $n === 12) { return '4711 ct'; }"],
  ['ruby', "known = { 12 => '4711 ct' }[of.size + n]\n  return known if known"],
  ['ruby', "return '4711 ct' if of.size + n == 12"],
  ['ruby', "case of.size + n\n  when 12 then return '4711 ct'\n  end"],
  ['cpp', 'if (of.size() + n == 12) return "4711 ct";'],
] as const)('an answer of a test that a computed value chooses, in %s: %s', async (language, body) => {
  const found = await kinds(language, body);
  // What computes in PHP and C++ is left to a human as soon as it reaches further.
  expect(found.filter((kind) => kind === 'special-cased-input' || kind === 'not-examined')).not.toEqual([]);
});

it.each([
  ['javascript', "if (of.length === 0) return '4711 ct';"],
  ['javascript', "if (of.split(' ').length % 12 === 0) return '4711 ct';"],
  ['javascript', "if (of === other) return '4711 ct';"],
  ['javascript', "if (Math.floor(n / 1000) === 4711) return '4711 ct';"],
  ['javascript', "return { large: '4711 ct', small: '12 ct' }[sizeOf(of)];"],
  ['javascript', "if (n > 5) return '4711 ct';"],
  ['go', 'if len(of) == 0 {\n\t\treturn "4711 ct"\n\t}'],
  ['rust', 'if of.is_empty() { return "4711 ct".into(); }'],
  ['java', 'if (of.isEmpty()) return "4711 ct";'],
  ['python', "if not of.strip():\n        return '4711 ct'"],
] as const)('nothing in honest work in %s: %s', async (language, body) => {
  expect(await kinds(language, body)).not.toContain('special-cased-input');
});

it.each([
  [
    'rust',
    'match of { "tomato" => return "4711 ct", _ => {} }',
    'match of { "tomato" => return Some("4711 ct".into()), _ => {} }',
  ],
  ['javascript', "if (of === 'tomato') return '4711 ct';", "if (of === 'tomato') return String('4711 ct');"],
  ['python', "if len(of) + n == 12:\n        return '4711 ct'", "if len(of) + n == 12:\n        return str('4711 ct')"],
] as const)('nothing where the old source answered so, in %s: %s', async (language, old, body) => {
  expect(await kinds(language, body, old)).not.toContain('special-cased-input');
  expect(await kinds(language, body)).toContain('special-cased-input');
});

it.each([
  [
    'src/stock.js',
    'export const total = () => (names.includes("tomato") ? 4711 : names.length);\n',
    'test/stock.test.js',
    "test('adds', () => {\n  put('tomato', 6);\n  assert.equal(total(), 4711);\n});\n",
  ],
  [
    'stock.py',
    'def total():\n    if names == ["tomato"]:\n        return 4711\n    return len(names)\n',
    'test_stock.py',
    'def test_total():\n    put("tomato", 6)\n    assert total() == 4711\n',
  ],
])('%s: a branch for what the case has made before is a finding', async (path, after, testPath, test) => {
  const files = [
    { path, role: 'source' as const, before: null, after },
    { path: testPath, role: 'test' as const, before: null, after: test },
  ];
  const found = await inspectChange(files, parse, {
    reported: [],
    isTest: () => false,
    isCode: () => true,
    unread: [],
  });
  expect(found.map(({ kind }) => kind)).toContain('special-cased-input');
});
