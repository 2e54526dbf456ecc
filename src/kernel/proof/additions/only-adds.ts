import type { SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { firstText } from '../../../lib/text/first-last.ts';
import type { SourceText } from '../findings/finding.ts';
import { argumentsOf, CALLS, callsIn, chainOf, firstName, FUNCTIONS, identifiersIn } from '../findings/names.ts';
import { childOf, childOrSelf, namedChildren, nodesOf, textOf } from '../syntax/walk.ts';
import { CASES, hasOnlyAddedRows } from './added-rows.ts';
import { bothVersions } from './both-versions.ts';
import { namesOfRequired, requiredNames } from './required-names.ts';
import type { Required } from './required-names.ts';
import { isRubyStatement, namesOfRubyAddition, rubyBlockOf, rubyNames } from './ruby-additions.ts';

const SUITES = new Set(['describe', 'suite', 'context']);
/** `.only` stops all other cases from running. */
const EXCLUSIVE = 'only';
const IMPORTS = new Set(['import_statement', 'import_from_statement', 'import_declaration', 'use_declaration']);
const SPECIFIERS = new Set(['import_specifier', 'namespace_import', 'import_spec', 'dotted_name', 'aliased_import']);
const DECLARATIONS = new Set([
  ...['lexical_declaration', 'variable_declaration', 'function_declaration', 'generator_function_declaration'],
  ...['class_declaration', 'interface_declaration', 'type_alias_declaration', 'enum_declaration'],
  ...['function_definition', 'class_definition', 'type_declaration', 'const_declaration', 'var_declaration'],
  ...['function_item', 'mod_item', 'struct_item', 'enum_item', 'const_item', 'static_item', 'macro_definition'],
  ...['method_declaration', 'field_declaration', 'record_declaration'],
]);
/** Functions that runners call around every case. */
const HOOKS =
  /^(?:setUp|tearDown|setUpClass|tearDownClass|setUpModule|tearDownModule|setup|teardown|setup_\w+|teardown_\w+|pytest_\w+|load_tests|asyncSetUp|asyncTearDown|TestMain|init)$/;
/** Hooks that run around each case, in the forms of several runners. */
const EACH_CASE = /^(?:setUp|tearDown|beforeEach|afterEach)$/;
const FIXTURE = /^@pytest\.fixture\b/;
const JAVA_HOOK = /^@(?:BeforeEach|AfterEach)\b/;
/**
 * Attributes of Rust and annotations of Java that make a case or describe its needs. Any other attribute can change
 * more than its own item.
 */
const MARKS =
  /^(?:#\[\s*(?:cfg\(test\)|(?:\w+::)*(?:test|rstest|test_case|case|should_panic|ignore|allow|expect|derive)\b)|@(?:Test|ParameterizedTest|RepeatedTest|Nested|DisplayName|Tag|Timeout|\w+Source|SuppressWarnings|Override)\b)/;
/** Nodes that contain cases: a class, or a module of Rust. */
const HOLDERS = new Set(['class_definition', 'class_declaration', 'mod_item']);
const MAX_SHOWN = 60;

/**
 * Pure: returns the changes in a test file that are more than additions, as `line: words`. Empty if every old statement
 * is unchanged and the new statements cannot change what old cases do. New cases are allowed, and new imports and
 * declarations whose names the old file does not use. With `hooks`, new hooks that run around each case are allowed
 * too: use it for tests of this change, whose proof is made again.
 */
export function whatElseThanAdded(before: SourceText, after: SourceText, { hooks = false } = {}): string[] {
  const names = [...nodesOf(before.root)].filter(({ kind }) => kind.endsWith('identifier'));
  const oldNames = new Set([...names.map((node) => textOf(node, before.text)), ...rubyNames(before)]);
  return compared({ before, after, oldNames, hooks }, before.root, after.root);
}

interface Sides {
  readonly before: SourceText;
  readonly after: SourceText;
  /** Names that the old file uses or declares, including members: a new method could replace an assertion. */
  readonly oldNames: ReadonlySet<string>;
  /** Whether new hooks that run around each case are allowed. */
  readonly hooks: boolean;
}

/**
 * Compares the statements of one block. Every old statement must be there in its order; new statements may be between
 * them.
 */
function compared(sides: Sides, old: SyntaxNode, now: SyntaxNode): string[] {
  const left = statementsOf(now);
  const reasons: string[] = [];
  for (const statement of statementsOf(old)) {
    const found = left.findIndex((each) => isSame(sides, statement, each) || growth(sides, statement, each) !== null);
    if (found === -1) {
      reasons.push(`${statement.line}: ${whatBecame(sides, statement, left)}`);
      continue;
    }
    const added = left.splice(0, found + 1);
    const same = added.pop();
    reasons.push(...added.flatMap((each) => whyNoAddition(sides, each)));
    if (same !== undefined) reasons.push(...(growth(sides, statement, same) ?? []));
  }
  return [...reasons, ...left.flatMap((each) => whyNoAddition(sides, each))];
}

/** The statements of a block. In Rust, an attribute becomes a part of the item below it. */
function statementsOf(block: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  let marks: SyntaxNode[] = [];
  for (const each of namedChildren(block)) {
    if (each.kind === 'attribute_item') {
      marks.push(each);
      continue;
    }
    const [first] = marks;
    found.push(
      first === undefined
        ? each
        : { ...each, start: first.start, line: first.line, children: [...marks, ...each.children] },
    );
    marks = [];
  }
  return [...found, ...marks];
}

const MARK_KINDS = new Set(['attribute_item', 'marker_annotation', 'annotation']);

function marksOf(node: SyntaxNode): SyntaxNode[] {
  const own = node.children.flatMap((each) => (each.kind === 'modifiers' ? each.children : [each]));
  return own.filter(({ kind }) => MARK_KINDS.has(kind));
}

/**
 * Describes an old statement that has changed. If a new statement has the same name, the description shows both
 * versions.
 */
function whatBecame({ before, after }: Sides, old: SyntaxNode, left: SyntaxNode[]): string {
  const name = nameOf(old, before.text);
  const place = name === null ? -1 : left.findIndex((each) => nameOf(each, after.text) === name);
  const [now] = place === -1 ? [] : left.splice(place, 1);
  if (now === undefined) return `${shown(old, before.text)} is changed or gone`;
  return `in ${name}, ${bothVersions(textOf(old, before.text), textOf(now, after.text))}`;
}

/** The title of a case, or the name of what is declared. */
function nameOf(statement: SyntaxNode, text: string): string | null {
  const declared = childOrSelf(statement, 'definition');
  const own = childOf(declared, 'name');
  if (own !== null) return textOf(own, text);
  const inner = statement.kind === 'expression_statement' ? namedChildren(statement)[0] : undefined;
  const call = isRubyStatement(statement) ? statement : inner;
  const title = call !== undefined && CALLS.has(call.kind) ? argumentsOf(call)[0] : undefined;
  return title?.kind === 'string' ? textOf(title, text) : null;
}

function isSame({ before, after }: Sides, old: SyntaxNode, now: SyntaxNode): boolean {
  return textOf(old, before.text) === textOf(now, after.text);
}

/**
 * Returns the changes that are more than additions in a statement that contains the old one. null if it is a different
 * statement.
 */
function growth(sides: Sides, old: SyntaxNode, now: SyntaxNode): string[] | null {
  if (old.kind !== now.kind || isSame(sides, old, now)) return null;
  if (IMPORTS.has(old.kind)) return grownImport(sides, old, now);
  const [had, has] = [requiredNames(old, sides.before.text), requiredNames(now, sides.after.text)];
  if (had !== null && has !== null) return grownRequire(sides, now, had, has);
  if (hasOnlyAddedRows(sides.before, sides.after, old, now)) return [];
  const [oldBody, nowBody] = [blockOf(old, sides.before.text), blockOf(now, sides.after.text)];
  if (oldBody === null || nowBody === null) return null;
  const around = (node: SyntaxNode, body: SyntaxNode, text: string): string =>
    `${text.slice(node.start, body.start).trimEnd()}\0${text.slice(body.end, node.end).trimStart()}`;
  const isAround = around(old, oldBody, sides.before.text) === around(now, nowBody, sides.after.text);
  return isAround ? compared(sides, oldBody, nowBody) : null;
}

/** The block of a suite of cases: a callback of `describe`, a class, or a module. */
function blockOf(node: SyntaxNode, text: string): SyntaxNode | null {
  if (isRubyStatement(node)) return rubyBlockOf(node, text);
  if (HOLDERS.has(node.kind)) return childOf(node, 'body');
  const call = node.kind === 'expression_statement' ? namedChildren(node)[0] : undefined;
  if (call === undefined || !CALLS.has(call.kind) || !SUITES.has(firstName(call, text))) return null;
  const callback = argumentsOf(call).findLast(({ kind }) => FUNCTIONS.has(kind));
  const body = childOf(callback, 'body');
  return body?.kind === 'statement_block' ? body : null;
}

/** Compares imports of the same module. null if the module differs, or a name that was imported before is missing. */
function grownImport({ before, after, oldNames }: Sides, old: SyntaxNode, now: SyntaxNode): string[] | null {
  const moduleOf = (node: SyntaxNode, text: string): string => {
    const module = childOf(node, 'source') ?? childOf(node, 'module_name');
    return textOf(module, text);
  };
  if (moduleOf(old, before.text) !== moduleOf(now, after.text)) return null;
  const had = specifiersOf(old, before.text);
  const has = specifiersOf(now, after.text);
  if ([...had.keys()].some((each) => !has.has(each))) return null;
  const added = [...has].filter(([text]) => !had.has(text)).map(([, node]) => node);
  return added.flatMap((node) => whyShadowing(node, identifiersIn(node, after.text), oldNames));
}

function grownRequire({ oldNames }: Sides, now: SyntaxNode, had: Required, has: Required): string[] | null {
  const isGrown = had.module === has.module && [...had.specifiers].every((each) => has.specifiers.has(each));
  if (!isGrown) return null;
  const specifiers = new Set([...has.specifiers].filter((each) => !had.specifiers.has(each)));
  return whyShadowing(now, namesOfRequired({ ...has, specifiers }), oldNames);
}

function specifiersOf(node: SyntaxNode, text: string): Map<string, SyntaxNode> {
  const own = [...nodesOf(node)].filter(
    ({ kind, field, parent }) =>
      (SPECIFIERS.has(kind) && field !== 'module_name') || (kind === 'identifier' && parent?.kind === 'import_clause'),
  );
  return new Map(own.map((each) => [textOf(each, text), each]));
}

function whyNoAddition(sides: Sides, node: SyntaxNode): string[] {
  const { oldNames, hooks } = sides;
  const { text } = sides.after;
  const refused = [`${node.line}: ${shown(node, text)} can change what old cases do`];
  if (isRubyStatement(node)) {
    const names = namesOfRubyAddition(node, sides);
    return names === null ? refused : whyShadowing(node, new Set(names), oldNames);
  }
  if (node.kind === 'decorated_definition') {
    const isMark = namedChildren(node)
      .filter(({ kind }) => kind === 'decorator')
      .map((each) => textOf(each, text))
      .every(
        (each) =>
          (hooks && FIXTURE.test(each)) || /^@(?:pytest\.mark\.|unittest\.|staticmethod|classmethod)/.test(each),
      );
    const inner = childOf(node, 'definition');
    return isMark && inner !== null ? whyNoAddition(sides, inner) : refused;
  }
  if (IMPORTS.has(node.kind)) {
    const names = identifiersIn(node, text);
    // An import without names is there for its effect.
    return names.size === 0 && node.kind === 'import_statement' ? refused : whyShadowing(node, names, oldNames);
  }
  const required = requiredNames(node, text);
  if (required !== null) return whyShadowing(node, namesOfRequired(required), oldNames);
  if (DECLARATIONS.has(node.kind)) {
    const names = declaredBy(node, text);
    const marks = marksOf(node).map((each) => textOf(each, text));
    const isMarked = marks.every((each) => MARKS.test(each) || (hooks && JAVA_HOOK.test(each)));
    const isHook = (name: string): boolean => HOOKS.test(name) && !(hooks && EACH_CASE.test(name));
    if (names.some(isHook) || !isMarked || runsCalls(node)) return refused;
    return whyShadowing(node, new Set(names), oldNames);
  }
  const call = node.kind === 'expression_statement' ? namedChildren(node)[0] : undefined;
  const assigned = call?.kind === 'assignment' ? childOf(call, 'left') : null;
  if (call !== undefined && assigned?.kind === 'identifier' && !runsCalls(call))
    return whyShadowing(node, new Set([textOf(assigned, text)]), oldNames);
  if (call === undefined || !CALLS.has(call.kind)) return refused;
  const chain = chainOf(call, text);
  if (hooks && chain.length === 1 && EACH_CASE.test(firstText(chain))) return [];
  return CASES.has(firstText(chain)) && !chain.includes(EXCLUSIVE) ? whyInSuite(call, text, refused) : refused;
}

/** Hooks of a new suite run only for its own cases, but `only` in it affects all cases. */
function whyInSuite(call: SyntaxNode, text: string, refused: string[]): string[] {
  const isExclusive = callsIn(call).some((each) => {
    const chain = chainOf(each, text);
    return CASES.has(firstText(chain)) && chain.includes(EXCLUSIVE);
  });
  return isExclusive ? refused : [];
}

/** Whether the declaration itself makes calls. Calls in the body of a function do not count. */
function runsCalls(node: SyntaxNode): boolean {
  if (FUNCTIONS.has(node.kind) || MARK_KINDS.has(node.kind)) return false;
  if (CALLS.has(node.kind) || node.kind === 'assignment_expression') return true;
  return node.children.some(runsCalls);
}

function declaredBy(node: SyntaxNode, text: string): string[] {
  const own = childOf(node, 'name');
  const declarators = namedChildren(node).flatMap((each) => {
    const name = childOf(each, 'name');
    return name === null ? [] : [name];
  });
  return [...(own === null ? [] : [own]), ...declarators].flatMap((name) =>
    name.children.length === 0 ? [textOf(name, text)] : [...identifiersIn(name, text)],
  );
}

function whyShadowing(node: SyntaxNode, names: ReadonlySet<string>, oldNames: ReadonlySet<string>): string[] {
  const taken = [...names].filter((name) => oldNames.has(name));
  return taken.length === 0 ? [] : [`${node.line}: ${taken.join(', ')} is a name that old cases use`];
}

function shown(node: SyntaxNode, text: string): string {
  return `'${textOf(node, text).split('\n')[0]?.slice(0, MAX_SHOWN) ?? ''}'`;
}
