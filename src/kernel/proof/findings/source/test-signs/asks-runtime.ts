import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedChange, Inspection } from '../../finding.ts';
import { CALLS, literalOf } from '../../names.ts';
import { isProgramEntry } from './program-entry.ts';

/** A property of the runtime that differs in a test run. */
interface Sign {
  readonly asked: RegExp;
  readonly words: string;
  /** Whether ordinary code uses the property in the way that this node does. */
  readonly isHonest?: (node: SyntaxNode, text: string) => boolean;
}

const MEMBERS = new Set(['member_expression', 'attribute', 'subscript_expression', 'subscript']);

const SIGNS: readonly Sign[] = [
  { asked: /(?:^|\.)f_back$/, words: 'f_back shows who calls' },
  { asked: /^gc\.get_(?:referrers|objects)\([^()]*\)$/, words: 'it looks at the objects of other code' },
  { asked: /^faulthandler\.is_enabled\(\)$/, words: 'a test runner turns the fault handler on' },
  { asked: /^sys\.(?:meta_path|path_hooks)$/, words: 'test runners have import hooks', isHonest: isCalledOn },
  {
    asked: /^logging\.(?:root|getLogger\(\))\.(?:handlers|hasHandlers\(\))$/,
    words: 'test runners add handlers to the log',
    isHonest: setsUpLog,
  },
  {
    asked:
      /^settings\.(?:TESTING|TEST_MODE|IS_TEST\w*|RUNNING_TESTS|UNDER_TEST)$|^getattr\(settings,['"](?:TESTING|TEST_MODE|IS_TEST\w*|RUNNING_TESTS|UNDER_TEST)['"].*\)$/,
    words: 'the setting shows whether tests run',
  },
  {
    asked: /^mail\.outbox$|^hasattr\(mail,['"]outbox['"]\)$/,
    words: 'only a test run of Django has an outbox',
  },
  { asked: /^module\.(?:parent|children)$/, words: 'it checks which module loads it', isHonest: isMainGuard },
  { asked: /^Object\.keys\(require\.cache\)$/, words: 'it reads which modules are loaded' },
  {
    asked: /^process\.(?:getActiveResourcesInfo|_getActiveHandles)\(\)$/,
    words: 'it looks at what the process waits for',
  },
  { asked: /^import\.meta\.env(?:\?)?\.(?:MODE|TEST)$/, words: 'it reads the mode', isHonest: isAboutProduction },
  {
    asked: /^(?:Object\.(?:keys|getOwnPropertyNames)|Reflect\.ownKeys)\((?:globalThis|global)\)$/,
    words: 'it looks through the global names',
  },
];

/** The output of a test run is not a terminal. So the tests see only one of two cases, unless a test sets it. */
const TERMINAL = /^(?:process\.std(?:in|out|err)\??\.isTTY|sys\.std(?:in|out|err)\.isatty\(\))$/;
const TERMINAL_IN_TESTS = /\bisTTY\b|\bisatty\b/;
/** The age of the process. In a test run the process is new. */
const AGE = /^(?:process\.uptime|performance\.now|time\.(?:process_time|perf_counter))\(\)$/;

/** Signs of a test run in the runtime: modules, handlers, hooks, output and age of the process. */
export const asksRuntime: Inspection = {
  kind: 'asks-if-tested',
  *look(file, change) {
    const isEntry = isProgramEntry(file);
    for (const node of addedNodes(file)) {
      const words = asked(node, file.text) ?? (isEntry ? null : aboutTerminal(node, file.text, change));
      if (words !== null) yield { line: node.line, words };
    }
  },
};

function asked(node: SyntaxNode, text: string): string | null {
  if (literalOf(node, text) === 'f_back') return 'f_back shows who calls';
  if (!MEMBERS.has(node.kind) && !CALLS.has(node.kind)) return null;
  const written = plainText(node, text);
  if (AGE.test(written) && isComparedWithNumber(node, text)) return 'it checks the age of its process';
  const sign = SIGNS.find((each) => each.asked.test(written));
  return sign === undefined || sign.isHonest?.(node, text) === true ? null : sign.words;
}

function aboutTerminal(node: SyntaxNode, text: string, { tests }: InspectedChange): string | null {
  if (!MEMBERS.has(node.kind) && !CALLS.has(node.kind)) return null;
  if (!TERMINAL.test(plainText(node, text)) || tests.some((test) => TERMINAL_IN_TESTS.test(test.text))) return null;
  return 'it checks whether its output is a terminal, and no test sets this';
}

function isComparedWithNumber(node: SyntaxNode, text: string): boolean {
  const { parent } = node;
  if (parent === null || !/^(?:binary_expression|comparison_operator)$/.test(parent.kind)) return false;
  const isComparison = parent.children.some(({ kind }) => /^[<>]=?$/.test(kind));
  return isComparison && parent.children.some((each) => each !== node && literalOf(each, text) !== null);
}

/** `sys.meta_path.insert(0, hook)` adds a hook. */
function isCalledOn({ parent }: SyntaxNode): boolean {
  return parent?.kind === 'attribute';
}

/** `if not logging.root.handlers: logging.basicConfig()`, and loops that remove handlers. */
function setsUpLog(node: SyntaxNode, text: string): boolean {
  const statement = above(node, ({ kind }) => /^(?:if|for)_statement$/.test(kind));
  return (
    statement !== null &&
    /\b(?:basicConfig|(?:add|remove)Handler|set(?:Level|Formatter)|flush|close)\b/.test(
      text.slice(statement.start, statement.end),
    )
  );
}

/** `if (!module.parent) main();` */
function isMainGuard(node: SyntaxNode, text: string): boolean {
  const guard = above(node, ({ kind }) => kind === 'if_statement');
  return guard !== null && /^if\s*\(\s*!module\.parent\s*\)/.test(text.slice(guard.start, guard.end));
}

function isAboutProduction({ parent }: SyntaxNode, text: string): boolean {
  return /['"](?:production|development)['"]/.test(plainText(parent, text));
}
