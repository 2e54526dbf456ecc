import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOrSelf, nodesOf, textOf } from '../../../syntax/walk.ts';
import type { InspectedFile } from '../../finding.ts';

/** Fields of a declaration that contain the declared name. */
const DECLARING_FIELDS = new Set(['left', 'name', 'alias', 'parameter', 'pattern', 'parameters']);
const DECLARING =
  /^(?:variable_declarator|function_declaration|generator_function_declaration|function_expression|class_declaration|class|class_definition|function_definition|enum_declaration|internal_module|import_specifier|namespace_import|import_clause|import_statement|import_from_statement|aliased_import|named_expression|for_in_statement|for_statement|for_in_clause|assignment|assignment_expression|augmented_assignment|catch_clause|arrow_function|type_alias_statement|lambda|import_alias|import_require_clause|(?:typed_)?default_parameter)$/;
/** Nodes in which all names are declared. */
const DECLARATIONS =
  /^(?:formal_parameters|parameters|lambda_parameters|required_parameter|optional_parameter|as_pattern_target|global_statement|nonlocal_statement|import_clause|namespace_import|dotted_name|case_pattern|ambient_declaration|type_parameters|type_parameter|labeled_statement|except_clause)$/;
const READ = new Set(['identifier', 'shorthand_property_identifier']);
/** Globals of browsers and module systems. Globals of the runtime are looked up in `globalThis`. */
const KNOWN_JAVASCRIPT =
  /^(?:require|module|exports|__dirname|__filename|arguments|undefined|eval|window|document|self|parent|top|location|history|localStorage|sessionStorage|indexedDB|alert|confirm|prompt|requestAnimationFrame|cancelAnimationFrame|requestIdleCallback|getComputedStyle|matchMedia|customElements|caches|jQuery|\$|define|React|Bun|Deno|defineProps|defineEmits|[A-Z]\w*)$/;
/** Names that a file may ask for, because only some platforms have them. `SHOP_LIVE` and `__DEV__` are none. */
const ON_SOME_PLATFORMS =
  /^(?:[A-Z]+\w*[a-z]\w*|CSS|importScripts|chrome|browser|wx|define|jest|describe|it|test|expect|cy|gtag|ga|google|grecaptcha|gapi|dataLayer|acquireVsCodeApi|__webpack\w*|__non_webpack_require__|__vite\w*|__filename|__dirname|setImmediate|skipWaiting|registration|clients|importmap|opener|screen|scroll\w*|visualViewport|(?:add|remove)EventListener|dispatchEvent|postMessage|print|Module)$/;
const KNOWN_PYTHON =
  /^(?:__\w+__|_|(?:[A-Z]\w*)?(?:Error|Exception|Warning|Exit|Interrupt|Iteration|Group)|Ellipsis|NotImplemented|True|False|None|abs|aiter|all|anext|any|ascii|bin|bool|breakpoint|bytearray|bytes|callable|chr|classmethod|compile|complex|copyright|credits|delattr|dict|dir|divmod|enumerate|eval|exec|exit|filter|float|format|frozenset|getattr|globals|hasattr|hash|help|hex|id|input|int|isinstance|issubclass|iter|len|license|list|locals|map|match|max|memoryview|min|next|object|oct|open|ord|pow|print|property|quit|range|repr|reversed|reveal_type|round|set|setattr|slice|sorted|staticmethod|str|sum|super|tuple|type|vars|zip)$/;

/**
 * Returns names that the change reads and that this file and the language do not declare. A name that is declared
 * anywhere in the file counts as declared.
 */
export function undeclaredNames(file: InspectedFile): readonly { readonly line: number; readonly name: string }[] {
  const { root, text, language } = file;
  if (!['javascript', 'typescript', 'tsx', 'python'].includes(language)) return [];
  const all = [...nodesOf(root)];
  if (all.some(({ kind }) => kind === 'wildcard_import')) return [];
  const isPython = language === 'python';
  const declared = new Set(all.filter(isDeclaration).map((node) => textOf(node, text)));
  const found = new Map<string, number>();
  for (const node of all) {
    if (!READ.has(node.kind) || !file.isAdded(node) || isMember(node) || isLookedUp(node, text)) continue;
    const name = textOf(node, text);
    const isKnown = isPython ? KNOWN_PYTHON.test(name) : KNOWN_JAVASCRIPT.test(name) || name in globalThis;
    if (!isKnown && !declared.has(name) && !found.has(name)) found.set(name, node.line);
  }
  return [...found].map(([name, line]) => ({ name, line }));
}

/** Returns names that the file reads or asks for by `typeof`, and that neither it nor a platform declares. */
export function unknownGlobals({ root, text, language }: InspectedFile): ReadonlySet<string> {
  if (!/^(?:javascript|typescript|tsx)$/.test(language)) return new Set();
  const all = [...nodesOf(root)];
  // `declare const LIVE: boolean` of TypeScript gives no value.
  const isReal = (node: SyntaxNode): boolean => above(node, ({ kind }) => kind === 'ambient_declaration') === null;
  const declared = new Set(all.filter((node) => isDeclaration(node) && isReal(node)).map((node) => textOf(node, text)));
  const read = all.filter((node) => node.kind === 'identifier' && !isMember(node) && isReal(node));
  const names = new Set(read.map((node) => textOf(node, text)));
  const isUnknown = (name: string): boolean =>
    !declared.has(name) && !(name in globalThis) && !ON_SOME_PLATFORMS.test(name) && !isOfBrowsers(name);
  return new Set([...names].filter(isUnknown));
}

function isOfBrowsers(name: string): boolean {
  return KNOWN_JAVASCRIPT.test(name) && !/^[A-Z]/.test(name);
}

function isDeclaration(node: SyntaxNode): boolean {
  if (node.kind === 'shorthand_property_identifier_pattern') return true;
  if (node.kind !== 'identifier') return false;
  for (let each: SyntaxNode | null = node; each !== null && each.parent !== null; each = each.parent) {
    if (DECLARATIONS.test(each.parent.kind)) return true;
    if (each.field !== null && DECLARING_FIELDS.has(each.field) && DECLARING.test(each.parent.kind)) return true;
    if (each.field === 'value' && each.parent.kind !== 'pair_pattern') return false;
    if (!/pattern|_list$|list$|tuple|identifier|typed_|starred|splat/.test(each.parent.kind)) return false;
  }
  return false;
}

/** `b` in `a.b` and `f(b=1)` of Python, and the element `<b>`. */
function isMember(node: SyntaxNode): boolean {
  if (node.parent?.kind.startsWith('jsx_') === true && node.field === 'name') return true;
  return node.field === 'attribute' || (node.field === 'name' && node.parent?.kind === 'keyword_argument');
}

/** `typeof a` only tests whether the name exists. */
function isLookedUp(node: SyntaxNode, text: string): boolean {
  const asking = above(node, ({ kind }) => kind === 'unary_expression');
  return asking !== null && textOf(childOrSelf(asking, 'operator'), text) === 'typeof';
}
