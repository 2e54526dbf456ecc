import { posix } from 'node:path';
import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { ownValue } from '../../../../../lib/own-value.ts';
import { nodesOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import { constantValues } from './constant-values.ts';
import type { InspectedFile, Inspection, SourceText } from '../../finding.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, lastName, literalOf } from '../../names.ts';

const LOADS: Readonly<Record<string, RegExp>> = {
  javascript: /^(?:require|import|module\.require|createRequire\.\w+)$/,
  python: /(?:^|\.)(?:import_module|__import__|spec_from_file_location|run_path|run_module|load_source)$/,
  ruby: /^(?:Kernel\.)?(?:require|require_relative|load)$/,
};
/** Names of known places and of functions that join paths. They do not select a module. */
const KNOWN =
  /^(?:__\w+__|__dirname|__filename|__dir__|path|posix|os|pathlib|File|Path|URL|String|process|join|resolve|normalize|expand_path|dirname|basename|Dir|Pathname|fileURLToPath|pathToFileURL|require|importlib|sys|str|self)$/;
/** Sources of text that only the user of the program knows. */
const ENVIRONMENT = /\b(?:process\.env|os\.environ|os\.getenv|ENV|globalThis|global)\b/;
const MAX_STEPS = 4;

/**
 * A source that loads code by a path that is not written in it: the path is assembled by calls from parts of texts, or
 * comes from the environment or a global. The code may be in a test directory, and the text does not show it. A path is
 * not reported if it is a parameter, the result of a search in a directory, or assembled from complete parts in the
 * source; `loads-tests` checks those.
 */
export const computedLoad: Inspection = {
  kind: 'computed-load',
  *look(file) {
    for (const node of addedNodes(file)) {
      const given = loaded(node, file);
      if (given !== null && isHidden(given, file))
        yield { line: node.line, words: 'it loads a module by a path that is not written in the source' };
    }
  },
};

/** The argument of a load, if it is not a literal. */
function loaded(node: SyntaxNode, { language, text }: InspectedFile): SyntaxNode | null {
  const names = ownValue(LOADS, /^(?:typescript|tsx)$/.test(language) ? 'javascript' : language);
  if (names === undefined || !CALLS.has(node.kind)) return null;
  const callee = calleeOf(node);
  // `require('./a')(b)` calls the loaded module.
  if (callee === null || CALLS.has(callee.kind)) return null;
  const called = chainOf(callee, text).join('.');
  if (!names.test(called)) return null;
  const list = argumentsOf(node);
  const given = (/spec_from_file_location|load_source/.test(called) ? list[1] : list[0]) ?? null;
  return given === null || literalOf(given, text) !== null ? null : given;
}

function isHidden(given: SyntaxNode, file: SourceText): boolean {
  const parts = [given, ...valuesOf(given, file)];
  if (parts.some((each) => ENVIRONMENT.test(plainText(each, file.text)))) return true;
  const names = parts.flatMap((each) => freeNames(each, file.text));
  const own = new Set(constantValues(file).keys());
  if (names.some((each) => !KNOWN.test(each) && !own.has(each) && !isOfPaths(each, file.text))) return false;
  return parts.some((each) => isComputed(each, file.text));
}

/** Whether a name is an imported module for paths: `const p = require('node:path')`. */
function isOfPaths(name: string, text: string): boolean {
  const module = String.raw`['"](?:node:)?(?:path|url|os)(?:/\w+)?['"]`;
  return new RegExp(
    `\\b${name.replaceAll('$', String.raw`\$`)}\\b(?:\\s+from\\s+|\\s*=.{0,40}\\brequire\\()${module}`,
  ).test(text);
}

/** The values of constants that an expression uses, directly or through other constants. */
function valuesOf(given: SyntaxNode, file: SourceText): SyntaxNode[] {
  const known = constantValues(file);
  const found: SyntaxNode[] = [];
  let waiting = [given];
  for (let step = 0; step < MAX_STEPS && waiting.length > 0; step += 1) {
    waiting = waiting
      .flatMap((each) => freeNames(each, file.text))
      .flatMap((name) => known.get(name) ?? [])
      .filter((each) => !found.includes(each));
    found.push(...waiting);
  }
  return found;
}

function freeNames(node: SyntaxNode, text: string): string[] {
  return [...nodesOf(node)].flatMap((each) => {
    const isName =
      each.named && each.children.length === 0 && /^(?:identifier|name|constant|\w+_variable)$/.test(each.kind);
    const isMethod = each.field === 'property' || each.field === 'attribute' || each.field === 'method';
    return isName && !isMethod ? [plainText(each, text).replace(/^(?:@@?|\$)/, '')] : [];
  });
}

const JOINS =
  /^(?:join|resolve|normalize|joinpath|expand_path|dirname|basename|fileURLToPath|pathToFileURL|URL|Path|Pathname|abspath|realpath|cwd|getcwd|pwd|toString|String|str|to_s|concat|format|createRequire)$/;

/** Whether a call changes texts instead of joining them: `reverse`, `replace`, `fromCharCode`, `chr`. */
function isComputed(node: SyntaxNode, text: string): boolean {
  return [...nodesOf(node)].some((each) => {
    if (/comprehension|^generator_expression$|^subscript$|^slice$/.test(each.kind) && literalOf(each, text) === null)
      return !/parents/.test(plainText(each, text));
    if (!CALLS.has(each.kind)) return false;
    const name = lastName(each, text);
    return !JOINS.test(posix.basename(name));
  });
}
