import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { once } from '../../../syntax/once.ts';
import { above, childOf, kindOf, namedChildren, nodesOf, operatorOf, plainText, textOf } from '../../../syntax/walk.ts';
import { isLogging } from '../../../mutation/mutators/remove-statement.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile, Inspection } from '../../finding.ts';
import { FUNCTIONS, literalOf } from '../../names.ts';
import { unknownGlobals } from '../unexamined/undeclared-names.ts';
import { environmentSign, signOf, wordOf } from './environment-signs.ts';
import type { EnvironmentSign } from './environment-signs.ts';
import { isProgramEntry } from './program-entry.ts';
import { givenValue, isDefaultOrStart, isReplaced } from './variable-givers.ts';

/**
 * A decision that depends only on the environment of the process: a variable, a global that only a configuration
 * declares, the size of the terminal, the machine, a file in the working directory, the day. In a test run the decision
 * always has the same result. It is not reported if a test names the property, because the test can then set it, or if
 * the decision also depends on arguments of the function. A missing variable of the project may be an error, a message
 * or a default.
 */
export const asksEnvironment: Inspection = {
  kind: 'asks-if-tested',
  *look(file, { tests, expected }) {
    if (isProgramEntry(file)) return;
    const seen = new Set<number>();
    const aliases = aliasesIn(file);
    const globals = unknownGlobals(file);
    for (const node of addedNodes(file)) {
      const found =
        environmentSign(node, file.text) ?? aliasAt(node, aliases, file) ?? globalSign(node, globals, file.text);
      if (found === undefined || seen.has(node.line)) continue;
      const decision = decisionBy(node, file, aliases);
      const names = [found.named, wordOf(plainText(node, file.text))];
      if (
        decision === null ||
        isWithDefault(decision, expected, file.text) ||
        (found.maySet && isSetting(decision, names, file.text))
      )
        continue;
      if (tests.some(({ text }) => found.named.test(text))) continue;
      seen.add(node.line);
      yield { line: node.line, words: `it depends on ${found.words}, and no test sets this` };
    }
  },
};

function nameAt(node: SyntaxNode, text: string): string {
  const isGiven =
    /declarator|declaration$|^assignment|^expression_list$/.test(kindOf(node.parent)) &&
    /^(?:name|left|pattern)$/.test(node.field ?? node.parent?.field ?? '');
  return NAMES.test(node.kind) && !isGiven ? plainText(node, text) : '';
}

/** A global that no file and no platform declares: the configuration of a runner can. */
function globalSign(node: SyntaxNode, globals: ReadonlySet<string>, text: string): EnvironmentSign | undefined {
  const name = nameAt(node, text);
  if (!globals.has(name)) return undefined;
  return { words: `the global ${name}, which no source declares`, named: wordOf(name), maySet: true };
}

/** A name that contains such a property, and the start of the function that gives it. */
interface Alias {
  readonly name: string;
  readonly sign: EnvironmentSign;
  readonly scope: number | null;
  readonly giver: SyntaxNode;
}

const GIVES = /^(?:variable_declarator|assignment|short_var_declaration|let_declaration)$/;

/** `const term = process.env.TERM`, `const { TERM } = process.env`, `const isLive = process.env.LIVE === '1'`. */
function aliasesIn(file: InspectedFile): Alias[] {
  const { root, text } = file;
  const found: Alias[] = [];
  const give = (names: readonly SyntaxNode[], sign: EnvironmentSign, around: SyntaxNode): void => {
    const scope = above(around, ({ kind }) => FUNCTIONS.has(kind))?.start ?? null;
    for (const each of names) {
      const name = NAMES.test(each.kind) ? plainText(each, text) : '_';
      if (name !== '_' && !isDefaultOrStart(name, around, root, text)) found.push({ name, sign, scope, giver: around });
    }
  };
  for (const node of nodesOf(root)) {
    const sign = environmentSign(node, text);
    const giver = sign === undefined ? null : giverOf(node, text);
    const left = giver === null ? null : namedOf(giver);
    // `value, ok := os.LookupEnv("A")` of Go.
    const right = giver === null ? null : givenValue(giver);
    if (sign !== undefined && giver !== null && left !== null && right !== null && isAlone(right, file, found)) {
      const [first, ...others] = left.kind === 'expression_list' ? namedChildren(left) : [left];
      if (first !== undefined) give([first], sign, giver);
      give(others, { ...sign, maySet: true }, giver);
    }
    const pattern = GIVES.test(node.kind) ? childOf(node, 'name') : null;
    const value = pattern?.kind === 'object_pattern' ? childOf(node, 'value') : null;
    if (pattern === null || value === null) continue;
    for (const each of namedChildren(pattern)) {
      const member = signOf(`${plainText(value, text)}.${plainText(each, text)}`);
      if (member !== undefined) give([each], member, node);
    }
  }
  return found;
}

const NAMES = /^(?:identifier|constant|shorthand_property_identifier_pattern)$/;

function namedOf(giver: SyntaxNode): SyntaxNode | null {
  return childOf(giver, 'name') ?? childOf(giver, 'left') ?? childOf(giver, 'pattern');
}

function isOfValue(value: SyntaxNode, parent: SyntaxNode, text: string): boolean {
  if (/^arguments$|^(?:argument|expression)_list$/.test(parent.kind)) return parent.kind === 'expression_list';
  return isPart(value, text) || isOperator(parent);
}

/** The assignment whose whole value is made of a node. */
function giverOf(node: SyntaxNode, text: string): SyntaxNode | null {
  let value = node;
  for (let { parent } = value; parent !== null && isOfValue(value, parent, text); { parent } = value) value = parent;
  return /^(?:value|right)$/.test(value.field ?? '') && value.parent !== null && GIVES.test(value.parent.kind)
    ? value.parent
    : null;
}

function aliasAt(
  node: SyntaxNode,
  aliases: readonly Alias[],
  { root, text }: InspectedFile,
): EnvironmentSign | undefined {
  const own = nameAt(node, text);
  const isSeen = ({ name, scope, giver }: Alias): boolean =>
    name === own &&
    (scope === null || above(node, ({ kind, start }) => start === scope && FUNCTIONS.has(kind)) !== null) &&
    !isReplaced(name, giver, node, root, text);
  return own === '' ? undefined : aliases.find(isSeen)?.sign;
}

const PARTS =
  /^(?:member_expression|attribute|call|call_expression|new_expression|subscript|subscript_expression|parenthesized_expression|not_operator|comparison_operator|arguments|argument_list|keyword_argument|parenthesized_statements|field_expression|let_condition|reference_expression|try_expression|selector_expression|method_invocation|match_expression|case)$/;
const COMPARES = /^(?:[=!]==?|[<>]=?|in|not in|is|is not|instanceof)$/;
const COMPARED = /^(?:not_operator|let_condition|match_expression|case)$/;
const NEGATES = /^(?:!|not|defined\?|typeof)$/;
/** A call whose result is a truth value: `key?`, `is_err()`. */
const ASKS = /\.(?:is_\w+|exists|isEmpty|isPresent|IsZero|equals)\(.*\)$|\?(?:\(.*\))?$/;

/** The whole decision of a node that decides something alone or compared with constants; null if it decides nothing. */
function decisionBy(node: SyntaxNode, file: InspectedFile, aliases: readonly Alias[]): SyntaxNode | null {
  const { text } = file;
  let atom = node;
  const compares = (each: SyntaxNode): boolean =>
    isComparison(each) || COMPARED.test(each.kind) || /^unary/.test(each.kind) || ASKS.test(plainText(each, text));
  let isCompared = compares(atom);
  while (atom.parent !== null && isPart(atom, text)) {
    atom = atom.parent;
    isCompared ||= compares(atom);
  }
  const isCondition = atom.field === 'condition' || isOperand(atom) || isBetween(atom);
  if (!isCompared && !isCondition) return null;
  // `if (import.meta.main) main();` is the usual start of a program.
  const around = above(atom, ({ kind }) => FUNCTIONS.has(kind));
  if (/^(?:import\.meta|require)\.main/.test(plainText(node, text)) && around === null) return null;
  return isAlone(atom, file, aliases) ? atom : null;
}

/** Whether nothing that the function is given, or computes itself, takes part. */
function isAlone(decision: SyntaxNode, file: InspectedFile, aliases: readonly Alias[]): boolean {
  const { text } = file;
  const given = namesGivenTo(decision, text);
  return [...nodesOf(decision)].every((each) => {
    // The object is an input too. In Python, `self` is a parameter.
    if (/^(?:this|self|instance_variable)$/.test(each.kind)) return false;
    const name = nameAt(each, text);
    return (
      name === '' ||
      aliasAt(each, aliases, file) !== undefined ||
      !given.has(name) ||
      isGivenWithin(name, decision, text)
    );
  });
}

function isShared(node: SyntaxNode): boolean {
  return above(node, ({ kind }) => FUNCTIONS.has(kind)) === null;
}

/** Whether a name is a parameter of a block or a function in the decision itself. */
function isGivenWithin(name: string, decision: SyntaxNode, text: string): boolean {
  return [...nodesOf(decision)].some((each) => /parameter/.test(kindOf(each.parent)) && plainText(each, text) === name);
}

/** Whether the node above is the same decision. */
function isPart({ parent, field }: SyntaxNode, text: string): boolean {
  if (parent === null || field === 'condition') return false;
  if (/^(?:match_expression|case)$/.test(parent.kind)) return field === 'value';
  if (/^unary/.test(parent.kind)) return NEGATES.test(textOf(operatorOf(parent) ?? parent, text));
  return PARTS.test(parent.kind) || isComparison(parent);
}

const REPORTS =
  /^(?:throw|raise|panic|fail|exit|sys\.exit|process\.exit|warn|abort|warnings\.warn|puts|print|eprint|println|eprintln|fmt\.(?:Print|Fprint)\w*|System\.(?:out|err)|signal|urlpatterns)\b|^\$?std(?:err|out)\b/i;

/** Whether a variable only has a default, is used as a value, or leads to an error, a message, an address of Django or a handler of a signal. */
function isSetting(decision: SyntaxNode, names: readonly RegExp[], text: string): boolean {
  let whole = decision;
  while (whole.parent !== null && whole.field !== 'condition' && isOperand(whole)) whole = whole.parent;
  const branch = whole.field === 'condition' || isBetween(whole) ? whole.parent : null;
  // Its file may give it to others, as a field of a configuration.
  if (branch === null) return isShared(decision) || !/^(?:comparison_operator|binary|unary|not_)/.test(decision.kind);
  const rest = branch.children.filter((each) => each !== whole && each.field !== 'initializer');
  if (rest.some((part) => names.some((each) => each.test(textOf(part, text))))) return true;
  const body = childOf(branch, 'consequence') ?? childOf(branch, 'body');
  const statements = body === null ? [] : /block|^then$|body/.test(body.kind) ? namedChildren(body) : [body];
  const isReport = (each: SyntaxNode): boolean =>
    isLogging(plainText(each, text)) || REPORTS.test(plainText(each, text));
  return childOf(branch, 'alternative') === null && statements.length > 0 && statements.every(isReport);
}

/** `os.cpu_count() or 1`: a number for a missing one, which no test expects. */
function isWithDefault(decision: SyntaxNode, expected: ReadonlySet<string>, text: string): boolean {
  if (isComparison(decision)) return false;
  let given = decision;
  while (given.field === 'right' && given.parent !== null && isOperator(given.parent)) given = given.parent;
  const isDefault = given.field === 'left' && /^(?:\|\||or)$/.test(plainText(operatorOf(given.parent), text));
  const value = isDefault ? literalOf(childOf(given.parent, 'right'), text) : null;
  return value !== null && /^\d+$/.test(value) && !expected.has(value);
}

function isComparison({ kind, children }: SyntaxNode): boolean {
  return (
    kind === 'comparison_operator' ||
    (/^binary(?:_expression)?$/.test(kind) && children.some((each) => COMPARES.test(each.kind)))
  );
}

/** Whether a node is an operand of `&&`, `||`, `and`, `or` that decides. The last one in `given || Date.now()` is a value. */
function isOperand(node: SyntaxNode): boolean {
  const { parent } = node;
  if (parent === null || !isOperator(parent)) return false;
  let whole = parent;
  while (whole.parent !== null && isOperator(whole.parent)) whole = whole.parent;
  return node.end !== whole.end || whole.field === 'condition' || isBetween(whole);
}

function isOperator({ kind, children }: SyntaxNode): boolean {
  const isPair = /^binary(?:_expression)?$/.test(kind);
  return kind === 'boolean_operator' || (isPair && children.some((each) => /^(?:&&|\|\||and|or)$/.test(each.kind)));
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
  const declared = [...nodesOf(scope)].filter(({ kind, field, parent }) => {
    if (kind !== 'identifier') return false;
    if (field === 'parameter' || /parameter/.test(kindOf(parent))) return true;
    // `value, err := f()` of Go.
    if (parent?.kind === 'expression_list' && parent.field === 'left') return true;
    return (
      /^(?:name|left|pattern)$/.test(field ?? '') &&
      !/^(?:scoped_identifier|method_invocation|binary\w*)$/.test(kindOf(parent))
    );
  });
  return new Set(declared.map((each) => plainText(each, text)));
});
