import type { SyntaxLanguage, SyntaxNode } from '../../../../../../contracts/ports/syntax.ts';
import { childOf, childOrSelf, kindOf, nodesOf, plainText } from '../../../../syntax/walk.ts';
import type { InspectedFile } from '../../../finding.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, indexOf, lastName, literalOf, SUBSCRIPTS } from '../../../names.ts';
import { phpCall } from '../../../php-calls.ts';
import { isCalled } from './called-things.ts';
import type { CalledThings } from './called-things.ts';
import type { PartsOf } from './declared-values.ts';

/** A file, and facts about its names. */
export interface Known {
  readonly file: InspectedFile;
  readonly partsOf: PartsOf;
  /** See `calledThings`. */
  readonly called: CalledThings;
}

type IsTypeName = (node: SyntaxNode, known: Known) => boolean;

const NAME_OF_CLASS = /^(?:get(?:Simple|Type|Canonical|Package)?Name|toString|descriptorString)$/;
/** With its type arguments, as it must be written in Rust. */
const OF_RUST = /^type_name(?:::<|_of_val\b)/;

const LANGUAGES: ReadonlyMap<SyntaxLanguage, IsTypeName> = new Map<SyntaxLanguage, IsTypeName>([
  ...(['javascript', 'typescript', 'tsx'] as const).map((each): [SyntaxLanguage, IsTypeName] => [each, inJavaScript]),
  ['python', inPython],
  ['ruby', inRuby],
  ['go', inGo],
  ['rust', inRust],
  ['java', inJava],
  ['php', inPhp],
]);

/** Pure: returns whether a node computes the name of an object's type. */
export function isTypeName(node: SyntaxNode, known: Known): boolean {
  return LANGUAGES.get(known.file.language)?.(node, known) === true;
}

/** `store.constructor`, `store['constructor']`, `{ constructor: { name } }`, and the name of a called function. */
function inJavaScript(node: SyntaxNode, { file: { text }, called }: Known): boolean {
  if (node.kind === 'property_identifier')
    return plainText(node, text) === 'constructor' && node.parent?.kind !== 'method_definition';
  const [object, property] = [childOf(node, 'object'), childOf(node, 'property')];
  if (object !== null && plainText(property, text) === 'name') return isCalled(object, text, called);
  const index = SUBSCRIPTS.has(node.kind) ? indexOf(node) : null;
  return index !== null && literalOf(index, text) === 'constructor';
}

function inPython(node: SyntaxNode, { file: { text } }: Known): boolean {
  if (node.kind === 'attribute') return /^__(?:class|module)__$/.test(plainText(childOrSelf(node, 'attribute'), text));
  if (node.kind !== 'call' || argumentsOf(node).length !== 1) return false;
  const callee = calleeOf(node);
  return /^(?:type|repr)$/.test(plainText(callee, text));
}

function inRuby(node: SyntaxNode, { file: { text } }: Known): boolean {
  const method = node.kind === 'call' && childOf(node, 'receiver') !== null ? childOf(node, 'method') : null;
  return /^(?:class|singleton_class|inspect)$/.test(plainText(method, text));
}

/** `fmt.Sprintf("%T", m)`, `reflect.TypeOf(m)`, `reflect.ValueOf(m).Type()`. */
function inGo(node: SyntaxNode, { file: { text } }: Known): boolean {
  if (node.kind !== 'call_expression') return false;
  const name = chainOf(node, text).join('.');
  const [format] = argumentsOf(node);
  if (/(?:^|\.)Sprintf$/.test(name)) return format !== undefined && /%T|%#v/.test(literalOf(format, text) ?? '');
  return /(?:^|\.)TypeOf$|\.ValueOf\..*\bType$/.test(`.${name}`);
}

function inRust(node: SyntaxNode, { file: { text } }: Known): boolean {
  if (node.kind !== 'identifier') return false;
  return OF_RUST.test(text.slice(node.start, node.end + 3).replaceAll(/\s/g, ''));
}

/** `mailer.getClass().getSimpleName()`, also with the class in a variable. */
function inJava(node: SyntaxNode, { file: { text }, partsOf }: Known): boolean {
  const name = node.kind === 'method_invocation' ? childOf(node, 'name') : null;
  if (name === null) return false;
  if (/^valueOf$/.test(plainText(name, text))) return isOfObject(childOrSelf(node, 'arguments'), text, partsOf);
  const object = childOf(node, 'object');
  return object !== null && NAME_OF_CLASS.test(plainText(name, text)) && isOfObject(object, text, partsOf);
}

/** Returns whether a class comes from an object and is not named in the source. */
export function isOfObject(node: SyntaxNode, text: string, partsOf: PartsOf): boolean {
  return [...partsOf(node)].some(
    (each) => each.kind === 'method_invocation' && plainText(childOrSelf(each, 'name'), text) === 'getClass',
  );
}

/** `get_class($m)`, `$m::class`. */
function inPhp(node: SyntaxNode, { file: { text } }: Known): boolean {
  if (node.kind === 'class_constant_access_expression')
    return node.children[0]?.kind !== 'name' && /^\$.*::class$/i.test(plainText(node, text));
  return /^get_(?:class|debug_type|parent_class)$/i.test(phpCall(node, text)?.name ?? '');
}

const COMPARISONS = new Set(['binary_expression', 'binary', 'comparison_operator']);
const COMPARES = /^(?:[=!]==?|=~|!~|<>|in|not in|is|is not)$/;
const SEARCHES =
  /^(?:includes?\??|starts?_?with\??|ends?_?with\??|match(?:es|all|string|\?)?|fullmatch|test|exec|search|(?:last)?index(?:of|any)?|r?find(?:all|iter)?|localecompare|has|some|every|any\??|member\?|contains(?:any)?|hasprefix|hassuffix|equal(?:s|fold|signorecase|\?)?|eql\?|casecmp\??|contentequals|cut|is_match|str_(?:contains|starts_with|ends_with)|str[ir]*pos|str[ir]?str|str(?:n?case)?cmp|preg_match|in_array|fnmatch|count|split)$/i;
const CHOICES = new Set([
  ...['switch_statement', 'switch_expression', 'expression_switch_statement', 'match_statement', 'match_expression'],
  'case',
]);
const LABELS = new Set(['case_pattern', 'pattern', 'match_pattern', 'switch_label', 'match_condition_list']);
const LABELLED = new Set(['switch_case', 'expression_case', 'case_statement']);
/** `block` is not included, because in Ruby it may be an expression. */
const BLOCKS: ReadonlySet<string> = new Set(['statement_block', 'compound_statement', 'do_block']);

/** Returns the compared parts of a comparison, a search call or a switch; null for other nodes. */
export function comparedBy(node: SyntaxNode, { text, language }: InspectedFile): SyntaxNode[] | null {
  if (CHOICES.has(node.kind)) {
    const subject = ['value', 'subject', 'condition'].map((each) => childOf(node, each)).find((each) => each !== null);
    const labels = [...nodesOf(node)].filter(
      ({ kind, field, parent }) => LABELS.has(kind) || (field === 'value' && LABELLED.has(kindOf(parent))),
    );
    return subject === undefined || subject === null ? null : [subject, ...labels];
  }
  if (COMPARISONS.has(node.kind))
    return node.children.some((each) => COMPARES.test(plainText(each, text))) ? [node] : null;
  // A function with statements is excluded: its statements are checked separately.
  const isBlock = ({ kind }: SyntaxNode): boolean => BLOCKS.has(kind) || (kind === 'block' && language !== 'ruby');
  return SEARCHES.test(nameOfCall(node, text)) && ![...nodesOf(node)].some(isBlock) ? [node] : null;
}

/** Returns the last name of a called function; '' for other nodes. */
export function nameOfCall(node: SyntaxNode, text: string): string {
  return CALLS.has(node.kind) ? lastName(node, text) : '';
}
