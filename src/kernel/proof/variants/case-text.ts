import type { SyntaxLanguage, SyntaxNode } from '../../../contracts/ports/syntax.ts';
import { argumentsOf, calleeOf, CALLS } from '../findings/names.ts';
import { caseArguments } from '../findings/tests/languages/case-callers.ts';
import type { WrittenCase } from '../findings/tests/languages/test-case.ts';
import { childOf, kindOf, namedChildren, textOf } from '../syntax/walk.ts';

/** Where a case is in its file, so that a copy can be inserted after it. */
export interface CaseText {
  readonly start: number;
  readonly end: number;
  /** Where the name of the case ends. A suffix there gives the copy a name of its own. */
  readonly nameEnd: number;
  /** Where the expression starts that computes the name; it ends at `nameEnd`. Absent if the name is a literal. */
  readonly computedFrom?: number;
  /** The name as written. Absent if it is computed, or if it is the name of a function. */
  readonly title?: string;
  /** Text before each copy. */
  readonly indent: string;
  /**
   * Text between the name and its suffix. In a title with columns of a table, `$name_1` would be another column, so it
   * is a space.
   */
  readonly separator: '_' | ' ';
}

/**
 * Returns null if a copy would not be a case of its own: the body is somewhere else, or the language gives the name
 * another meaning.
 */
export function caseText(written: WrittenCase, language: SyntaxLanguage, text: string): CaseText | null {
  if (written.modifier !== null) return null;
  switch (language) {
    case 'javascript':
    case 'typescript':
    case 'tsx':
      return javascriptCase(written.body, text);
    case 'python':
      return pythonCase(written.body, text);
    case 'ruby':
      return rubyCase(written.body, text);
    case 'rust':
      return rustCase(written.body);
    case 'php':
      return phpCase(written.body);
    case 'cpp':
      return cppCase(written.body);
    case 'go':
    case 'java':
      return namedCase(written.body, /^(?:function_declaration|method_declaration)$/, text);
  }
}

const WRITTEN_NAME = /^(?:string|template_string)$/;
const COMPUTED_NAME = /^(?:binary|call|member|subscript)_expression$|^identifier$/;

/** The statement `test('name', () => { … });` or `test({ name: 'name', fn() { … } });`. */
function javascriptCase(body: SyntaxNode, text: string): CaseText | null {
  const object = body.parent?.kind === 'pair' ? body.parent.parent : body.parent;
  const list = object?.kind === 'object' ? object.parent : body.parent;
  const call = list?.kind === 'arguments' ? list.parent : null;
  if (call === null || !CALLS.has(call.kind) || calleeOf(call) === null) return null;
  const [title] = caseArguments(call, text);
  if (title === undefined || !(WRITTEN_NAME.test(title.kind) || COMPUTED_NAME.test(title.kind))) return null;
  const outer = call.parent !== null && /^(?:await|unary)_expression$/.test(call.parent.kind) ? call.parent : call;
  const statement = outer.parent;
  if (statement?.kind !== 'expression_statement') return null;
  const { start, end } = inBlock(statement);
  if (WRITTEN_NAME.test(title.kind)) {
    const written = text.slice(title.start + 1, title.end - 1);
    return { start, end, nameEnd: title.end - 1, title: written, indent: ';', separator: ' ' };
  }
  return { start, end, nameEnd: title.end, computedFrom: title.start, indent: ';', separator: ' ' };
}

/**
 * The whole loop or branch if it has no braces: `for (const a of all) test(…)`. A copy after the case would be outside
 * of it.
 */
function inBlock(statement: SyntaxNode): SyntaxNode {
  let whole = statement;
  while (whole.parent !== null && /^(?:for|while|do|if|else|labeled)_/.test(whole.parent.kind)) whole = whole.parent;
  return whole;
}

function pythonCase(body: SyntaxNode, text: string): CaseText | null {
  const name = childOf(body, 'name');
  const whole = body.parent?.kind === 'decorated_definition' ? body.parent : body;
  const indent = text.slice(text.lastIndexOf('\n', whole.start - 1) + 1, whole.start);
  if (name === null || indent.trim() !== '') return null;
  return { start: whole.start, end: whole.end, nameEnd: name.end, indent, separator: '_' };
}

const RUBY_BODIES = /^(?:program|body_statement|block_body)$/;

/** A method by its name, or `it "adds" do` by its title. */
function rubyCase(body: SyntaxNode, text: string): CaseText | null {
  const whole = body.kind === 'method' ? body : body.parent;
  if (whole === null || !RUBY_BODIES.test(kindOf(whole.parent))) return null;
  const name = body.kind === 'method' ? childOf(body, 'name') : (argumentsOf(whole)[0] ?? null);
  if (name === null || (body.kind !== 'method' && name.kind !== 'string') || /[?!=]$/.test(textOf(name, text)))
    return null;
  const isMethod = body.kind === 'method';
  return {
    start: whole.start,
    end: whole.end,
    nameEnd: name.end - (isMethod ? 0 : 1),
    indent: '',
    separator: isMethod ? '_' : ' ',
  };
}

/** Includes the comment before the method, which may name its data provider. */
function phpCase(body: SyntaxNode): CaseText | null {
  const name = childOf(body, 'name');
  const siblings = body.parent?.children ?? [];
  const before = siblings[siblings.indexOf(body) - 1];
  const start = before?.kind === 'comment' ? before.start : body.start;
  return name === null ? null : { start, end: body.end, nameEnd: name.end, indent: '', separator: '_' };
}

function rustCase(body: SyntaxNode): CaseText | null {
  const name = childOf(body, 'name');
  const siblings = body.parent?.children ?? [];
  const before = siblings.slice(0, siblings.indexOf(body)).reverse();
  const other = before.findIndex(({ kind }) => kind !== 'attribute_item');
  const attributes = other === -1 ? before : before.slice(0, other);
  return name === null
    ? null
    : { start: (attributes.at(-1) ?? body).start, end: body.end, nameEnd: name.end, indent: '', separator: '_' };
}

/** `TEST(Suite, Name) { … }`: the suffix follows the second name. */
function cppCase(body: SyntaxNode): CaseText | null {
  const declarator = childOf(body, 'declarator');
  const list = childOf(declarator, 'parameters');
  const name = list === null ? undefined : namedChildren(list)[1];
  return name === undefined || body.parent?.kind === 'linkage_specification'
    ? null
    : { start: body.start, end: body.end, nameEnd: name.end, indent: '', separator: '_' };
}

function namedCase(body: SyntaxNode, kinds: RegExp, text: string): CaseText | null {
  const whole = kinds.test(body.kind) ? body : body.parent;
  const name = whole === null || !kinds.test(whole.kind) ? null : childOf(whole, 'name');
  // `go vet` requires that the name of an example is the name of a function.
  if (whole === null || name === null || textOf(name, text).startsWith('Example')) return null;
  return { start: whole.start, end: whole.end, nameEnd: name.end, indent: '', separator: '_' };
}
