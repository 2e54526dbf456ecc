import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { kindOf, namedChildren, textOf } from '../walk.ts';
import type { Grammar } from './grammar.ts';
import { COMMON_OPERATORS } from './operators.ts';

const METHODS = new Set(['method', 'singleton_method']);
/** Nodes that contain statements. */
const BODIES = new Set(['body_statement', 'block_body', 'then', 'else', 'ensure', 'do', 'program']);
/** Parts of a branch. The value of the part that runs is the value of the whole branch. */
const BRANCH_PARTS = new Set(['then', 'else', 'elsif', 'when', 'in_clause', 'parenthesized_statements']);
const BRANCHING = new Set([
  'if',
  'unless',
  'case',
  'case_match',
  'begin',
  'while',
  'until',
  'for',
  'return',
  'rescue',
  'ensure',
]);

export const ruby: Grammar = {
  functions: new Set([...METHODS, 'lambda', 'do_block', 'block']),
  inert: new Set(['comment', 'superclass', 'heredoc_beginning']),
  binary: new Set(['binary']),
  updates: new Set(['operator_assignment']),
  branches: new Set(['if', 'unless', 'elsif', 'if_modifier', 'unless_modifier', 'conditional']),
  negations: new Set(['unary']),
  loops: new Set(['while', 'until', 'while_modifier', 'until_modifier', 'for']),
  boundedLoops: new Set(['for']),
  similarCalls: {},
  removable: new Set(['call', 'assignment', 'operator_assignment', 'yield']),
  isStatement: ({ parent }) => BODIES.has(kindOf(parent)),
  emptyStatement: 'nil',
  strings: new Set(['string', 'chained_string', 'string_array', 'heredoc_body']),
  calls: new Set(['call']),
  emptyArgument: 'nil',
  negated: (condition) => `!(${condition})`,
  operators: {
    ...COMMON_OPERATORS,
    '&&': ['||'],
    '||': ['&&'],
    and: ['or'],
    or: ['and'],
    '**': ['*'],
    '=~': ['!~'],
    '!~': ['=~'],
  },
  returned: (node) => {
    if (node.kind === 'return') return namedChildren(namedChildren(node)[0] ?? node)[0] ?? null;
    const isBranch = BRANCHING.has(node.kind) || BRANCH_PARTS.has(node.kind);
    return node.named && !isBranch && isImplicitReturn(node) ? node : null;
  },
  replacedReturn: (expression, text) => {
    const source = textOf(expression, text);
    switch (expression.kind) {
      case 'true':
        return 'false';
      case 'false':
      case 'nil':
        return 'true';
      case 'integer':
      case 'float':
        return /^0*\.?0*$/.test(source) ? '1' : '0';
      case 'string':
        return source.length > 2 ? "''" : "'mutant'";
      case 'array':
        return namedChildren(expression).length > 0 ? '[]' : "['mutant']";
      case 'hash':
        return namedChildren(expression).length > 0 ? '{}' : "{ mutant: 'mutant' }";
      default:
        return /^(?:raise|fail)\b/.test(source) ? null : 'nil';
    }
  },
};

/** Whether the value of a node is what the method returns, without a `return`. */
function isImplicitReturn(node: SyntaxNode): boolean {
  const { parent } = node;
  if (parent === null) return false;
  if (METHODS.has(parent.kind)) return node.field === 'body' && node.kind !== 'body_statement';
  if (parent.kind === 'body_statement') {
    const statements = namedChildren(parent).filter(({ kind }) => !/^(?:rescue|else|ensure)$/.test(kind));
    return statements.at(-1) === node && METHODS.has(kindOf(parent.parent));
  }
  if (parent.kind === 'conditional') return node.field !== 'condition' && isImplicitReturn(parent);
  if (!BRANCH_PARTS.has(parent.kind) || namedChildren(parent).at(-1) !== node) return false;
  let whole: SyntaxNode | null = parent;
  while (whole !== null && BRANCH_PARTS.has(whole.kind)) whole = whole.parent;
  return whole !== null && isImplicitReturn(whole);
}
