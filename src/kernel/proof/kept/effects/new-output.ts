import type { Finding } from '../../../../contracts/review/proof.ts';
import { firstText } from '../../../../lib/text/first-last.ts';
import { oneLine } from '../../../../lib/text/one-line.ts';
import { FUNCTIONS, functionName } from '../../findings/names.ts';
import { above, nodesOf, plainText } from '../../syntax/walk.ts';
import type { BothSides, Side } from '../both-sides.ts';
import { callsOf } from './written-calls.ts';

const MAX_SHOWN = 60;
const PRINTS = /^(?:print|printf|pprint|println|eprint|eprintln|dbg|puts|pp|echo|print_r|var_dump|error_log|syslog)$/;
const WRITES = new RegExp(
  [
    String.raw`(?:^|\.)console\.\w+$`,
    String.raw`(?:^|\.)\$?(?:stdout|stderr)\.(?:write|writelines|print\w*|puts)$`,
    String.raw`^System\.(?:out|err)\.\w+$`,
    String.raw`^fmt\.Print\w*$`,
    String.raw`(?:^|[.$_])(?:log|logger|logging|slog)\.(?:trace|debug|info|warn|warning|error|exception|critical|fatal|log|print\w*|fatal\w+|panic\w*)$`,
  ].join('|'),
  'i',
);

/**
 * Returns findings for calls of a refactoring that print or log more than the old source. The output may contain a
 * secret, and tests do not check it.
 */
export function newOutput({ old, now }: BothSides): Finding[] {
  const own = new Set([...old, ...now].flatMap(ownNames));
  const written = now.flatMap((side) => outputOf(side, own));
  const former = old.flatMap((side) => outputOf(side, own));
  const oldCodes = new Set(former.map(({ code }) => code));
  const codes = new Set(written.map(({ code }) => code));
  const added = written.filter(({ code }) => !oldCodes.has(code));
  // As many calls were deleted as added, so the calls only have other arguments.
  if (added.length <= former.filter(({ code }) => !codes.has(code)).length) return [];
  return added.map(({ path, line, code }) => ({
    kind: 'new-output',
    path,
    line,
    words: `the refactoring prints or logs what the old source does not: ${oneLine(code, MAX_SHOWN)}`,
  }));
}

interface Output {
  readonly path: string;
  readonly line: number;
  readonly code: string;
}

function outputOf(side: Side, own: ReadonlySet<string>): Output[] {
  const { path, text, root } = side;
  const calls = [...callsOf(side)].filter(({ chain }) => {
    const name = firstText(chain);
    return chain.length === 1 ? PRINTS.test(name) && !own.has(name) : WRITES.test(chain.join('.'));
  });
  const nodes = new Set(calls.map(({ node }) => node));
  for (const node of nodesOf(root)) {
    // `std::cout << …`, and a function that is passed to another: `names.forEach(console.log)`.
    const isStream = node.kind === 'qualified_identifier' && /^std::(?:cout|cerr|clog)$/.test(plainText(node, text));
    const isConsole = node.kind === 'identifier' && plainText(node, text) === 'console';
    if (isStream) nodes.add(above(node, ({ kind }) => /statement$/.test(kind)) ?? node);
    else if (isConsole && !isCalled(node, nodes)) nodes.add(node.parent ?? node);
  }
  return [...nodes].map((node) => ({ path, line: node.line, code: plainText(node, text) }));
}

function isCalled(node: Parameters<typeof above>[0], calls: ReadonlySet<object>): boolean {
  const call = above(node, (each) => calls.has(each));
  return call !== null && call.start === node.start;
}

/** Functions that the sources declare or import, for example a `print` of their own. */
function ownNames({ root, text }: Side): string[] {
  return [...nodesOf(root)].flatMap((node) => {
    const name = FUNCTIONS.has(node.kind) ? functionName(node) : null;
    if (name !== null) return [plainText(name, text)];
    const isImported = node.kind === 'import_specifier' || node.kind === 'import_from_statement';
    return isImported
      ? [...nodesOf(node)].filter(({ children }) => children.length === 0).map((each) => plainText(each, text))
      : [];
  });
}
