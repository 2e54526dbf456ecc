import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { once } from '../../../syntax/once.ts';
import { above, childOf, kindOf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile, Inspection } from '../../finding.ts';
import { FUNCTIONS } from '../../names.ts';
import { isProgramEntry } from './program-entry.ts';

/** A property of the process environment, and a pattern for tests that set it. */
interface Sign {
  readonly asked: RegExp;
  readonly words: string;
  /** Default: the text of the first group of `asked`. */
  readonly named?: RegExp;
}

/** Variables that a user session sets and a test run in a sandbox does not. */
const OF_DESKTOPS = String.raw`(DISPLAY|WAYLAND_DISPLAY|TERM|COLORTERM|TERM_PROGRAM|COLUMNS|LINES|SHLVL|PWD|OLDPWD|USER|LOGNAME|USERNAME|HOME|SHELL|EDITOR|VISUAL|PAGER|LANG|LANGUAGE|LC_\w+|SSH_\w+|XDG_\w+|DBUS_\w+)`;
const DESKTOP = 'a variable that a desktop or a terminal sets';
const FILE = String.raw`['"](?:\.\/)?([\w.-]+)['"]`;
const CLOCKS =
  /setSystemTime|useFakeTimers|mock\.timers|fake-?timers|freeze_?time|time_machine|\bDate\b|datetime|\btime\b/i;

const SIGNS: readonly Sign[] = [
  {
    asked: new RegExp(String.raw`^(?:process|Bun)\.env(?:\??\.|\[['"])${OF_DESKTOPS}(?:['"]\])?$`),
    words: DESKTOP,
  },
  { asked: new RegExp(String.raw`^Deno\.env\.(?:get|has)\(['"]${OF_DESKTOPS}['"]\)$`), words: DESKTOP },
  {
    asked: new RegExp(String.raw`^os\.(?:environ\[|environ\.get\(|getenv\()['"]${OF_DESKTOPS}['"]`),
    words: DESKTOP,
  },
  {
    asked: new RegExp(String.raw`^['"]${OF_DESKTOPS}['"] ?(?:not ?)?in (?:os\.environ|process\.env)$`),
    words: DESKTOP,
  },
  { asked: /^process\.std(?:out|err)\??\.(columns|rows|getWindowSize)(?:\(\))?$/, words: 'the size of the terminal' },
  { asked: /^(?:shutil|os)\.(get_terminal_size)\(.*\)$/, words: 'the size of the terminal' },
  { asked: /^os\.(isatty)\(.*\)$/, words: 'a terminal' },
  { asked: /^(?:os\.)?(tmpdir)\(\)$|^tempfile\.(gettempdir)\(\)$/, words: 'the directory of temporary files' },
  {
    asked: /^(?:process\.(cwd)\(\)|os\.(getcwd)\(\)|Deno\.(cwd)\(\))$/,
    words: 'the working directory',
  },
  {
    asked:
      /^(?:os\.)?(cpus|totalmem|freemem|availableParallelism|uptime|loadavg)\(\)$|^(?:os|multiprocessing)\.(cpu_count|getloadavg)\(\)$/,
    words: 'the machine',
  },
  { asked: /^threading\.(active_count|enumerate|current_thread)\(\)$/, words: 'its threads' },
  {
    asked: /^process\.(argv0|execArgv|title|ppid|argv\[[01]\])$|^sys\.(argv\[0\]|path\[0\]|flags|orig_argv)$/,
    words: 'its command line',
  },
  { asked: /^(?:getattr\()?(__main__)\b/, words: 'the program that it is in' },
  { asked: /^(import\.meta\.main|require\.main|globals\(\)|vars\(\))$/, words: 'the program that it is in' },
  {
    asked: new RegExp(
      String.raw`^(?:(?:fs|os\.path)\.)?(?:existsSync|exists|isfile)\(${FILE}\)$|^(?:pathlib\.)?Path\(${FILE}\)\.(?:exists|is_file|is_dir)\(\)$`,
    ),
    words: 'a file of its working directory',
  },
  {
    asked:
      /^(?:Date\.now\(\)|new Date\(\)(?:\.\w+\(\))?|(?:datetime\.)?(?:date|datetime)\.(?:today|now|utcnow)\(.*\)(?:\.\w+)?|time\.time\(\))$/,
    words: 'the day',
    named: CLOCKS,
  },
];

const ASKED =
  /^(?:member_expression|attribute|call|call_expression|new_expression|subscript|subscript_expression|comparison_operator|binary_expression)$/;

/**
 * A decision that depends only on the environment of the process: a variable that a desktop or terminal sets, the size
 * of the terminal, the machine, a file in the working directory, the day. In a test run the decision always has the
 * same result. It is not reported if a test names the property, because the test can then set it, or if the decision
 * also depends on arguments of the function.
 */
export const asksEnvironment: Inspection = {
  kind: 'asks-if-tested',
  *look(file, { tests }) {
    if (isProgramEntry(file)) return;
    const seen = new Set<number>();
    const aliases = aliasesIn(file);
    for (const node of addedNodes(file)) {
      const found = signAt(node, file.text) ?? aliases.get(nameAt(node, file.text));
      if (found === undefined || seen.has(node.line) || !isDecidedBy(node, file, aliases)) continue;
      if (tests.some(({ text }) => found.named.test(text))) continue;
      seen.add(node.line);
      yield { line: node.line, words: `it depends on ${found.words}, and no test sets this` };
    }
  },
};

interface Found {
  readonly words: string;
  readonly named: RegExp;
}

function signAt(node: SyntaxNode, text: string): Found | undefined {
  if (!ASKED.test(node.kind)) return undefined;
  const written = plainText(node, text);
  for (const { asked, words, named } of SIGNS) {
    const match = asked.exec(written);
    if (match === null) continue;
    const name = match.slice(1).find((each) => each !== undefined) ?? '';
    return {
      words,
      named: named ?? new RegExp(String.raw`(?<!\w)${name.replaceAll(/[.?()[\]]/g, String.raw`\$&`)}(?!\w)`),
    };
  }
  return undefined;
}

function nameAt(node: SyntaxNode, text: string): string {
  const isGiven = /declarator|^assignment/.test(kindOf(node.parent)) && /^(?:name|left)$/.test(node.field ?? '');
  return node.kind === 'identifier' && !isGiven ? plainText(node, text) : '';
}

/** Variables that contain such a property: `const term = process.env.TERM`, `const { TERM } = process.env`. */
function aliasesIn({ root, text }: InspectedFile): ReadonlyMap<string, Found> {
  const found = new Map<string, Found>();
  for (const node of nodesOf(root)) {
    if (!/^(?:variable_declarator|assignment)$/.test(node.kind)) continue;
    const [name, value] = [
      childOf(node, 'name') ?? childOf(node, 'left'),
      childOf(node, 'value') ?? childOf(node, 'right'),
    ];
    if (name === null || value === null) continue;
    const names = name.kind === 'object_pattern' ? namedChildren(name) : [];
    for (const each of names.filter(({ kind }) => kind === 'shorthand_property_identifier_pattern')) {
      const own = plainText(each, text);
      const asked = `${plainText(value, text)}.${own}`;
      const match = SIGNS.find((one) => one.asked.test(asked));
      if (match !== undefined) found.set(own, { words: match.words, named: new RegExp(`\\b${own}\\b`) });
    }
    const asked = name.kind === 'identifier' ? signAt(value, text) : undefined;
    if (asked !== undefined) found.set(plainText(name, text), asked);
  }
  return found;
}

const PARTS =
  /^(?:member_expression|attribute|call|call_expression|new_expression|subscript|subscript_expression|parenthesized_expression|unary_expression|not_operator|comparison_operator|arguments|argument_list|keyword_argument)$/;
const COMPARES = /^(?:[=!]==?|[<>]=?|in|not in|is|is not|instanceof)$/;

/** Whether a node decides something alone or compared with constants. */
function isDecidedBy(node: SyntaxNode, { text }: InspectedFile, aliases: ReadonlyMap<string, Found>): boolean {
  let atom = node;
  let isCompared = isComparison(atom);
  while (
    atom.parent !== null &&
    atom.field !== 'condition' &&
    (PARTS.test(atom.parent.kind) || isComparison(atom.parent))
  ) {
    atom = atom.parent;
    isCompared ||= isComparison(atom) || /^(?:not_operator|unary_expression)$/.test(atom.kind);
  }
  const isCondition = atom.field === 'condition' || isOperand(atom) || isBetween(atom);
  if (!isCompared && !isCondition) return false;
  // `if (import.meta.main) main();` is the usual start of a program.
  const around = above(atom, ({ kind }) => FUNCTIONS.has(kind));
  if (/^(?:import\.meta|require)\.main/.test(plainText(node, text)) && around === null) return false;
  const given = namesGivenTo(atom, text);
  return [...nodesOf(atom)].every((each) => {
    // The object is an input too. In Python, `self` is a parameter.
    if (each.kind === 'this') return false;
    const name = nameAt(each, text);
    return name === '' || aliases.has(name) || !given.has(name);
  });
}

function isComparison({ kind, children }: SyntaxNode): boolean {
  return (
    kind === 'comparison_operator' ||
    (/^binary(?:_expression)?$/.test(kind) && children.some((each) => COMPARES.test(each.kind)))
  );
}

/** Whether a node is an operand of `&&`, `||`, `and`, `or`. */
function isOperand({ parent }: SyntaxNode): boolean {
  if (parent === null) return false;
  if (parent.kind === 'boolean_operator') return true;
  return (
    /^binary(?:_expression)?$/.test(parent.kind) &&
    parent.children.some(({ kind }) => /^(?:&&|\|\||and|or)$/.test(kind))
  );
}

/** The condition of `a if x else b` in Python has no field name. */
function isBetween({ parent, start }: SyntaxNode): boolean {
  return parent?.kind === 'conditional_expression' && namedChildren(parent)[1]?.start === start;
}

/** Parameters and variables of the functions around a node. */
export function namesGivenTo(node: SyntaxNode, text: string): Set<string> {
  const found = new Set<string>();
  for (
    let each = above(node, ({ kind }) => FUNCTIONS.has(kind));
    each !== null;
    each = above(each, ({ kind }) => FUNCTIONS.has(kind))
  ) {
    for (const name of declaredIn(each, text)) found.add(name);
  }
  return found;
}

const declaredIn = once((scope: SyntaxNode, text: string): ReadonlySet<string> => {
  const declared = [...nodesOf(scope)].filter(
    ({ kind, field, parent }) =>
      kind === 'identifier' &&
      (field === 'parameter' ||
        field === 'name' ||
        field === 'left' ||
        field === 'pattern' ||
        /parameter/.test(kindOf(parent))),
  );
  return new Set(declared.map((each) => plainText(each, text)));
});
