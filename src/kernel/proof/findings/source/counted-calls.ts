import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import type { Inspection, SourceText } from '../finding.ts';
import { above, childOf, nodesOf, operatorOf, textOf } from '../../syntax/walk.ts';
import { calleeOf, callsIn, chainOf, FUNCTIONS, identifiersIn } from '../names.ts';

const LISTS = new Set(['array', 'list']);
const NUMBERS = new Set(['number', 'integer', 'unary_expression']);
const UPDATES = new Set(['update_expression', 'augmented_assignment_expression', 'augmented_assignment']);
const COMPARISONS = new Set(['binary_expression', 'comparison_operator']);
const NEXT = /^(?:shift|pop|popleft)$/;

/** State of a module that counts how often something was called and answers by it: an answer for each call of a test. */
export const countedCalls: Inspection = {
  kind: 'counts-calls',
  *look(source) {
    const counters = moduleValues(source, NUMBERS);
    const lists = moduleValues(source, LISTS);
    const counted = new Set<string>();
    for (const node of nodesOf(source.root)) {
      if (!UPDATES.has(node.kind) || above(node, inFunction) === null) continue;
      const target = childOf(node, 'argument') ?? childOf(node, 'left');
      const name = target === null ? '' : textOf(target, source.text);
      const isCounter = counters.has(name) && !isOwnOf(node, name, source.text);
      if (isCounter || isFunctionAttribute(name, source)) counted.add(name);
    }
    for (const node of nodesOf(source.root)) {
      if (above(node, inFunction) === null) continue;
      const name = comparedName(node, source.text) ?? indexName(node, source.text);
      if (name !== null && counted.has(name)) {
        yield { line: node.line, words: `what it answers depends on ${name}, which counts calls` };
        counted.delete(name);
      }
    }
    for (const call of callsIn(source.root)) {
      const [owner = '', method = ''] = chainOf(calleeOf(call), source.text);
      if (lists.has(owner) && NEXT.test(method) && above(call, inFunction) !== null) {
        yield { line: call.line, words: `each call takes the next answer of ${owner}` };
      }
    }
  },
};

/** Whether a name is a variable of a function around `node`: a loop's own `i`, say. Python says `global` where it is not. */
function isOwnOf(node: SyntaxNode, name: string, text: string): boolean {
  for (let scope = above(node, inFunction); scope !== null; scope = above(scope, inFunction)) {
    if (scope.kind === 'function_definition') {
      const isGlobal = [...nodesOf(scope)].some(
        (each) =>
          each.kind === 'global_statement' &&
          textOf(each, text)
            .split(/[\s,]+/)
            .includes(name),
      );
      return !isGlobal;
    }
    const declared = [...nodesOf(scope)].some(
      (each) =>
        each.kind === 'identifier' &&
        textOf(each, text) === name &&
        (each.field === 'parameter' ||
          (each.field === 'name' && each.parent?.kind === 'variable_declarator') ||
          /parameters?$/.test(each.parent?.kind ?? '')),
    );
    if (declared) return true;
  }
  return false;
}

const inFunction = (node: SyntaxNode): boolean => FUNCTIONS.has(node.kind);

/** Variables of the module whose first value is of one of `kinds`. */
function moduleValues({ root, text }: SourceText, kinds: ReadonlySet<string>): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodesOf(root)) {
    if (node.kind !== 'variable_declarator' && node.kind !== 'assignment') continue;
    if (above(node, inFunction) !== null) continue;
    const name = childOf(node, 'name') ?? childOf(node, 'left');
    const value = childOf(node, 'value') ?? childOf(node, 'right');
    if (name !== null && value !== null && kinds.has(value.kind) && value.children.length !== 2)
      names.add(textOf(name, text));
  }
  return names;
}

/** `f.calls += 1`, where `f` is a function of this file. */
function isFunctionAttribute(name: string, { root, text }: SourceText): boolean {
  const [owner, ...rest] = name.split('.');
  if (rest.length !== 1) return false;
  return root.children.some((node) => {
    const declared = node.kind === 'export_statement' ? childOf(node, 'declaration') : node;
    const own = declared !== null && FUNCTIONS.has(declared.kind) ? childOf(declared, 'name') : null;
    return own !== null && textOf(own, text) === owner;
  });
}

function comparedName(node: SyntaxNode, text: string): string | null {
  if (!COMPARISONS.has(node.kind)) return null;
  const operator = operatorOf(node);
  if (operator === null || !/^(?:[=!]==?|[<>]=?|%)$/.test(textOf(operator, text))) return null;
  const sides = node.children.filter(({ named }) => named);
  if (!sides.some(({ kind }) => NUMBERS.has(kind))) return null;
  const other = sides.find(({ kind }) => !NUMBERS.has(kind));
  if (other === undefined) return null;
  const bare = other.kind === 'update_expression' ? childOf(other, 'argument') : other;
  return bare === null ? null : textOf(bare, text);
}

/** `answers[n++]`. */
function indexName(node: SyntaxNode, text: string): string | null {
  if (node.kind !== 'subscript_expression' && node.kind !== 'subscript') return null;
  const index = childOf(node, 'index') ?? childOf(node, 'subscript');
  if (index === null) return null;
  const names = identifiersIn(index, text);
  return names.size === 1 ? ([...names][0] ?? null) : null;
}
