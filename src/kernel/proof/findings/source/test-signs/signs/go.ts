import type { SyntaxNode } from '../../../../../../contracts/ports/syntax.ts';
import { once } from '../../../../syntax/once.ts';
import { childOf, nodesOf, plainText } from '../../../../syntax/walk.ts';
import type { InspectedFile } from '../../../finding.ts';
import { argumentsOf, literalOf } from '../../../names.ts';
import { isProgramEntry } from '../program-entry.ts';

/** Members of packages, by the last part of the package path. */
const SIGNS =
  /^(?:testing\.Testing|flag\.(?:Lookup|VisitAll|Parsed)|runtime\.(?:Callers?|CallersFrames|FuncForPC|Stack|NumGoroutine)|debug\.(?:Stack|PrintStack)|pprof\.Lookup|os\.Executable|expvar\.\w+)$/;
const OF_ALL_FLAGS = /^flag\.CommandLine\.(?:Lookup|VisitAll|Parsed)$/;
const VERSION = /\.Main\.Version\b|\.GoVersion\b|\.Settings\b/;
/** Fields of the build information that contain more than a version. */
const NAME_OF_BUILD = /\b\w+\.Path\b|\.Main\.Path\b|\.String\(\)/;
const ABOUT_TESTS = /\.test\b|_test\b|-test\./;

/**
 * Files in the working directory of a test, which is the directory of its package. An ordinary tool looks for them in a
 * directory that it receives.
 */
const OWN_SOURCES = /^(?:\.\/)?(?:go\.(?:mod|sum|work)|[\w.-]+\.go)$/;
const LOOKS_FOR_FILE = /^os\.(?:Stat|Lstat|Open|OpenFile|ReadFile)$/;

/** Returns which sign of a test run a Go node reads; null if none. */
export function signInGo(node: SyntaxNode, file: InspectedFile): string | null {
  const { text } = file;
  const written = plainText(node, text);
  if (node.kind === 'import_spec') {
    if (/"testing"$/.test(written)) return 'it imports testing';
    return /^\.\s*"(?:flag|runtime|runtime\/debug)"$/.test(written)
      ? 'a dot import hides the package of its calls'
      : null;
  }
  if (node.kind === 'index_expression' && /^os\.Args\[0\]$/.test(written)) return 'it reads the name of its program';
  if (node.kind !== 'selector_expression') return null;
  const name = memberName(node, file);
  if (LOOKS_FOR_FILE.test(name))
    return isOfOwnSources(node, file) ? 'it looks for sources in its working directory' : null;
  if (name === 'debug.ReadBuildInfo')
    return VERSION.test(text) && !NAME_OF_BUILD.test(text) ? null : `${name} shows whether tests run`;
  if (name === 'os.Args') return isOfWholeLine(node, file) ? 'it reads the whole command line' : null;
  return SIGNS.test(name) || OF_ALL_FLAGS.test(name) ? `${name} shows whether tests run` : null;
}

function isOfOwnSources({ parent }: SyntaxNode, { text }: InspectedFile): boolean {
  const [given] = argumentsOf(parent);
  return given !== undefined && OWN_SOURCES.test(literalOf(given, text) ?? '');
}

/** `flag.Lookup`, also if the file imports the package under another name. */
function memberName(node: SyntaxNode, file: InspectedFile): string {
  const [operand, field] = [childOf(node, 'operand'), childOf(node, 'field')];
  if (operand === null || field === null) return '';
  const owner =
    operand.kind === 'selector_expression'
      ? memberName(operand, file)
      : packageName(plainText(operand, file.text), file);
  return `${owner}.${plainText(field, file.text)}`;
}

function packageName(name: string, { root, text }: InspectedFile): string {
  return renamedPackages(root, text).get(name) ?? name;
}

/** Packages that the file imports under another name: that name -> the package. */
const renamedPackages = once((root: SyntaxNode, text: string): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const node of nodesOf(root)) {
    const [alias, path] = node.kind === 'import_spec' ? [childOf(node, 'name'), childOf(node, 'path')] : [null, null];
    const owner = path === null ? undefined : literalOf(path, text)?.split('/').at(-1);
    if (alias !== null && owner !== undefined) found.set(plainText(alias, text), owner);
  }
  return found;
});

/**
 * Whether the whole command line is read. Single arguments after the first, and their number, do not count. A program
 * may pass all arguments to a parser.
 */
function isOfWholeLine({ parent }: SyntaxNode, file: InspectedFile): boolean {
  if (parent === null || /^(?:index|slice)_expression$/.test(parent.kind)) return false;
  const call = parent.kind === 'argument_list' ? parent.parent : null;
  const callee = childOf(call, 'function');
  if (plainText(callee, file.text) === 'len') return false;
  const isProgram = isProgramEntry(file) || /^package main$/m.test(file.text);
  return !isProgram || ABOUT_TESTS.test(file.text);
}
