import type { SyntaxLanguage } from '../../../contracts/ports/syntax.ts';
import { firstText, lastText } from '../../../lib/text/first-last.ts';

const JAVASCRIPT = [
  /\bimport\s+([^;'"]+?)\s+from\s*['"]([^'"]+)['"]/g,
  /\b(?:const|let|var)\s+([^=;]+?)\s*=\s*(?:await\s+)?(?:require|import)\(\s*['"]([^'"]+)['"]/g,
];
const OWN_MODULE = /^(?:\.{1,2}(?:\/|$)|#|@\/|~\/)/;
/** Helper files of tests. Their functions are not the tested code. */
const OF_TESTS = /test|spec|helper|fixture|mock|setup|util/i;
const WORDS = /[A-Za-z_$][\w$]*/g;
const NO_NAMES = new Set(['as', 'default', 'type', 'import', 'from']);
const OF_GO =
  /^(?:len|cap|make|new|append|copy|panic|print|println|string|u?int\d*|float\d+|byte|rune|bool|error|delete|min|max|clear|recover|close|func)$/;
const OF_RUBY =
  /^(?:Minitest|MiniTest|RSpec|Test|Mocha|Timecop|WebMock|Rake|Gem|Bundler|Object|Kernel|Integer|Float|String|Symbol|Array|Hash|Set|Range|Regexp|Proc|Struct|Data|Time|Date|DateTime|File|Dir|IO|StringIO|Tempfile|FileUtils|Pathname|JSON|YAML|CSV|Math|Random|SecureRandom|Rational|Complex|BigDecimal|Comparable|Enumerable|Enumerator|Process|Thread|Mutex|Queue|Fiber|ENV|ARGV|OpenStruct|Logger|URI|ERB|Digest|Base64|\w*(?:Error|Exception))$/;
const STANDARD_OF_GO =
  /^(?:testing|fmt|errors|reflect|sort|slices|maps|strings|strconv|bytes|time|context|math|regexp|unicode|log|sync|io|os|net|encoding|crypto|path|bufio|embed|database|runtime|html|text)(?:\/|$)/;

/** Pure: returns the names that a test file uses for the sources that it tests. */
export function testedNames({
  language,
  text,
  sources,
}: {
  readonly language: SyntaxLanguage;
  readonly text: string;
  readonly sources: readonly string[];
}): ReadonlySet<string> {
  switch (language) {
    case 'javascript':
    case 'typescript':
    case 'tsx':
      return new Set(
        JAVASCRIPT.flatMap((pattern) =>
          [...text.matchAll(pattern)].flatMap(([, names = '', module = '']) =>
            OWN_MODULE.test(module) && !OF_TESTS.test(lastText(module.split('/'))) ? namesIn(names) : [],
          ),
        ),
      );
    case 'python':
      return pythonNames(text, new Set(sources.flatMap((path) => path.replace(/\.\w+$/, '').split('/'))));
    case 'go':
      return goNames(text);
    case 'rust':
      return rustNames(text);
    case 'ruby':
      return rubyNames(text);
    case 'java':
    case 'php':
    case 'cpp':
      return new Set();
  }
}

function pythonNames(text: string, parts: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const isTested = (module: string): boolean => module.startsWith('.') || parts.has(firstText(module.split('.')));
  for (const [, module = '', names = ''] of text.matchAll(/^[ \t]*from\s+([\w.]+)\s+import\s+(\([^)]*\)|[^\n]+)/gm))
    if (isTested(module)) for (const name of namesIn(names)) found.add(name);
  for (const [, modules = ''] of text.matchAll(/^[ \t]*import\s+([^\n]+)/gm))
    for (const module of modules.split(',').map((each) => each.trim()))
      if (isTested(module)) found.add(/\bas\s+(\w+)/.exec(module)?.[1] ?? module.split('.')[0] ?? '');
  return found;
}

/**
 * Called names that this file does not declare, without functions of packages of the standard library or of assertion
 * libraries.
 */
function goNames(text: string): Set<string> {
  const imported = [...text.matchAll(/^\s*(?:import\s+)?(?:(\w+)\s+)?"([^"]+)"\s*$/gm)];
  const packages = imported.map(([, name, path = '']) => ({ name: name ?? path.split('/').at(-1) ?? '', path }));
  const foreign = new Set(packages.flatMap(({ name, path }) => (isForeign(path) ? [name] : [])));
  const declared = new Set(
    [...text.matchAll(/^func\s+(?:\([^)]*\)\s*)?(\w+)|^(?:var|const|type)\s+(\w+)|\b([\w, ]+?)\s*:=/gm)].flatMap(
      (match) => namesIn(match.slice(1).join(' ')),
    ),
  );
  const called = [...text.matchAll(/(?<![\w.])(\w+)\s*(?:\(|\.\w+\()/g)].map(([, name = '']) => name);
  return new Set(called.filter((name) => !OF_GO.test(name) && !foreign.has(name) && !declared.has(name)));
}

function isForeign(path: string): boolean {
  return STANDARD_OF_GO.test(path) || /testify|go-cmp|gomock|gomega|ginkgo/.test(path);
}

function rustNames(text: string): Set<string> {
  const declared = new Set([...text.matchAll(/\b(?:fn|let(?:\s+mut)?)\s+(\w+)/g)].map(([, name = '']) => name));
  const called = [...text.matchAll(/(?<![\w:.!])(\w+)(?:::\w+)*\(/g)].map(([, name = '']) => name);
  return new Set(called.filter((name) => !declared.has(name) && !/^(?:std|core|[A-Z]\w*)$/.test(name)));
}

/** Constants that are not declared in this file and do not belong to Ruby or the runner. */
function rubyNames(text: string): Set<string> {
  const declared = new Set(
    [...text.matchAll(/^\s*(?:class|module)\s+(\w+)|^\s*([A-Z]\w*)\s*=[^=]/gm)].flatMap((match) => match.slice(1)),
  );
  const named = [...text.matchAll(/(?<![\w:"'])([A-Z]\w*)/g)].map(([, name = '']) => name);
  return new Set(named.filter((name) => !declared.has(name) && !OF_RUBY.test(name)));
}

function namesIn(written: string): string[] {
  return (written.match(WORDS) ?? []).filter((name) => !NO_NAMES.has(name));
}
