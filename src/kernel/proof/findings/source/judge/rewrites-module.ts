import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, childOrSelf, namedChildren, nodesOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { Inspection, SourceText } from '../../finding.ts';
import { chainOf, FUNCTIONS } from '../../names.ts';
import { isLoadedModule, writtenObject } from '../recorded-state/written-object.ts';

/** Members that contain everything of a module or class. */
const WHOLE = /^(?:prototype|__dict__|__class__)$/;
const PLAIN = /^(?:number|integer|float|true|false|none|null|list|array|dictionary|object)$/;

/**
 * A source that changes another module. The change is visible only if both modules are loaded. Old tests load the other
 * module alone, so they still pass. State that a function stores in an object of another module is not reported.
 */
export const rewritesModule: Inspection = {
  kind: 'rewrites-module',
  *look(file) {
    const { text } = file;
    const imported = importedNames(file);
    const functions = ownFunctions(file);
    const isFunction = (value: SyntaxNode): boolean =>
      FUNCTIONS.has(value.kind) || (value.kind === 'identifier' && functions.has(plainText(value, text)));
    for (const node of addedNodes(file)) {
      const written = writtenObject(node, text);
      if (written === null) continue;
      const { object, value } = written;
      const [owner = '', ...rest] = chainOf(object, text);
      const reach = imported.get(owner);
      const isModule = reach !== undefined && rest.every((name) => WHOLE.test(name));
      if (!isModule && !isLoadedModule(object, text)) continue;
      const isTop = above(node, ({ kind }) => FUNCTIONS.has(kind)) === null;
      const isMeant =
        value === null ||
        isFunction(value) ||
        (isTop && (reach === 'own' || (reach !== 'name' && PLAIN.test(value.kind))));
      if (isMeant) yield { line: node.line, words: `it changes ${plainText(object, text)}, another module` };
    }
  },
};

/**
 * Whether an imported name is another module of the project: `own` is one, `module` may be one, `name` may be a member
 * of one.
 */
type Reach = 'own' | 'module' | 'name';

function importedNames({ root, text }: SourceText): ReadonlyMap<string, Reach> {
  const names = new Map<string, Reach>();
  const add = (node: SyntaxNode | null | undefined, reach: Reach): void => {
    if (node !== null && node !== undefined && plainText(node, text) !== 'sys') names.set(plainText(node, text), reach);
  };
  for (const node of nodesOf(root)) {
    if (node.kind === 'import_statement' && childOf(node, 'source') !== null) {
      const isOwn = /^.\./.test(plainText(childOrSelf(node, 'source'), text));
      if (!isOwn) continue;
      for (const each of nodesOf(node)) {
        if (each.kind === 'import_specifier') add(childOf(each, 'alias') ?? childOf(each, 'name'), 'own');
        else if (each.kind === 'identifier' && each.parent?.kind !== 'import_specifier') add(each, 'own');
      }
    } else if (/^import_(?:from_)?statement$/.test(node.kind)) {
      const from = childOf(node, 'module_name');
      const reach: Reach = from === null ? 'module' : from.kind === 'relative_import' ? 'own' : 'name';
      for (const each of node.children) {
        if (each.field === 'name') add(childOf(each, 'alias') ?? namedChildren(each)[0], reach);
      }
    } else if (node.kind === 'variable_declarator' && isOwnRequire(childOf(node, 'value'), text)) {
      for (const each of nodesOf(childOrSelf(node, 'name'))) if (/identifier/.test(each.kind)) add(each, 'own');
    }
  }
  return names;
}

function isOwnRequire(value: SyntaxNode | null, text: string): boolean {
  if (value === null) return false;
  return isLoadedModule(value, text) && chainOf(value, text).at(-1) === 'require';
}

function ownFunctions({ root, text }: SourceText): ReadonlySet<string> {
  const names = [...nodesOf(root)]
    .filter(({ kind }) => FUNCTIONS.has(kind))
    .map((node) => childOf(node, 'name') ?? childOf(node.parent, 'name'));
  return new Set(names.flatMap((name) => (name === null ? [] : [plainText(name, text)])));
}
