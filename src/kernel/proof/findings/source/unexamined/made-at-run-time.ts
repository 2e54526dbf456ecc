import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { lastText } from '../../../../../lib/text/first-last.ts';
import { childOf, childOrSelf, kindOf, nodesOf, plainText } from '../../../syntax/walk.ts';
import { addedNodes } from '../../added-nodes.ts';
import type { InspectedFile, Inspection, SourceText } from '../../finding.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, indexOf, literalOf } from '../../names.ts';

const JAVASCRIPT =
  /^(?:globalThis|window|global)\.(?:eval|Function)$|\.constructor\.constructor$|\._compile$|^(?:vm\.(?:runIn\w+|Script|SourceTextModule|compileFunction)|WebAssembly\.\w+)$/;
const PYTHON =
  /^(?:builtins|__builtins__)\.(?:eval|exec|compile|__import__)$|^(?:marshal\.loads?|types\.(?:FunctionType|CodeType)|runpy\.\w+|ctypes\.\w+)$/;
/** Functions that make code, under any name. */
const MAKERS_OF_JAVASCRIPT = /^(?:eval|Function|AsyncFunction|GeneratorFunction)$/;
const MAKERS_OF_PYTHON = /^(?:eval|exec|compile|__import__)$/;
const LOADS_CODE = /^['"`]data:(?:text|application)\/javascript/;
const RUBY =
  /(?:^|\.)(?:eval|instance_eval|class_eval|module_eval|load_iseq)$|^(?:RubyVM\b.*|Fiddle\b.*|Marshal\.load|TOPLEVEL_BINDING\b.*)$/;
const IMPORTS = /['"](?:node:)?(?:vm|inspector|inspector\/promises)['"]/;
/** Calls that decode a text. */
const DECODES = /^(?:atob|b(?:16|32|64|85)decode|unhexlify|fromhex|decompress|loads|inflate\w*|gunzip\w*|unzip\w*)$/;
const GO = /^(?:_\s*"unsafe"|(?:\w+\s*)?"(?:C|plugin)")$/;
/** Macros that include generated text, items from other languages, and procedural macros. */
const RUST =
  /^include!\s*[([{](?!\s*"[^"]*\.rs"\s*[)\]}])|^(?:global_)?asm!|^#\s*\[\s*proc_macro\w*\b|^extern\s*"[^"]*"\s*\{/;
const JAVA =
  /(?:^|\.)(?:defineClass|defineHiddenClass\w*|getSystemJavaCompiler|getEngineByName|loadLibrary|theUnsafe)$|^System\.load$/;
const CODE = 'code that is made from a text at run time was not examined';
const NAME = 'a name that is computed at run time was not examined';
const DATA = 'code that is decoded from a text in the source was not examined';

/** Code that is in no syntax tree: a text, bytes or a data URL that becomes a program or its data at run time. */
export const madeAtRunTime: Inspection = {
  kind: 'not-examined',
  *look(file) {
    if (file.language === 'ruby') {
      for (const node of addedNodes(file)) if (isMadeByRuby(node, file.text)) yield { line: node.line, words: CODE };
      return;
    }
    if (/^(?:go|rust|java)$/.test(file.language)) {
      for (const node of addedNodes(file)) if (isMadeByCompiled(node, file)) yield { line: node.line, words: CODE };
      return;
    }
    const isPython = file.language === 'python';
    if (!isPython && !/^(?:javascript|typescript|tsx)$/.test(file.language)) return;
    const makers = isPython ? MAKERS_OF_PYTHON : MAKERS_OF_JAVASCRIPT;
    const own = declaredNames(file);
    for (const node of addedNodes(file)) {
      const isNamed = isMention(node, file.text) && makers.test(plainText(node, file.text));
      const isMaker = isNamed && !own.has(plainText(node, file.text));
      if (isMaker || (isPython ? isMadeByPython(node, file.text) : isMadeByJavaScript(node, file.text)))
        yield { line: node.line, words: CODE };
      else if (isPython && isComputedName(node, file.text)) yield { line: node.line, words: NAME };
      else if (isDecoded(node, file.text)) yield { line: node.line, words: DATA };
    }
  },
};

/**
 * Whether a name is read. A declaration does not count, and neither does the class in `a instanceof Function` or
 * `Function.prototype`.
 */
function isMention(node: SyntaxNode, text: string): boolean {
  const { parent } = node;
  if (node.kind !== 'identifier' || parent === null || node.field === 'attribute' || node.field === 'name')
    return false;
  if (parent.kind === 'member_expression' && !/\.(?:call|apply|bind)$/.test(plainText(parent, text))) return false;
  return !/\binstanceof\b|^isinstance\(/.test(
    plainText(parent.kind === 'argument_list' ? (parent.parent ?? parent) : parent, text),
  );
}

function declaredNames({ root, text }: SourceText): ReadonlySet<string> {
  const found = new Set<string>();
  for (const node of nodesOf(root)) {
    const isDeclared =
      (node.field === 'name' && !/keyword_argument|expression$/.test(kindOf(node.parent))) ||
      (node.kind === 'identifier' && /parameters?$/.test(kindOf(node.parent)));
    if (isDeclared) found.add(plainText(node, text));
  }
  return found;
}

/** Code that a compiler or program takes from elsewhere: a linker name, C, generated text, bytes of a class. */
function isMadeByCompiled(node: SyntaxNode, { language, text }: InspectedFile): boolean {
  const written = plainText(node, text);
  if (language === 'go') return node.kind === 'import_spec' && GO.test(written);
  if (language === 'rust')
    return /^(?:macro_invocation|attribute_item|foreign_mod_item)$/.test(node.kind) && RUST.test(written);
  if (node.kind === 'object_creation_expression') return /^new (?:\w+\.)*URLClassLoader\(/.test(written);
  const name = node.kind === 'method_invocation' ? childOf(node, 'name') : null;
  const object = name === null ? null : childOf(node, 'object');
  return (
    name !== null &&
    JAVA.test([object, name].flatMap((part) => (part === null ? [] : [plainText(part, text)])).join('.'))
  );
}

/** A call with only a block is not reported: its code is in the tree. */
function isMadeByRuby(node: SyntaxNode, text: string): boolean {
  return node.kind === 'call' && argumentsOf(node).length > 0 && RUBY.test(chainOf(node, text).join('.'));
}

function isMadeByPython(node: SyntaxNode, text: string): boolean {
  return CALLS.has(node.kind) && PYTHON.test(chainOf(node, text).join('.'));
}

/** `globals()[f"answer_{a}"]`: the tree does not show which variable is read. */
function isComputedName(node: SyntaxNode, text: string): boolean {
  if (node.kind !== 'subscript' || node.parent?.kind === 'assignment') return false;
  const index = indexOf(node);
  return (
    index !== null &&
    /^(?:globals|locals|vars)\(\)$/.test(plainText(childOrSelf(node, 'value'), text)) &&
    (literalOf(index, text) === null || index.children.some(({ kind }) => kind === 'interpolation'))
  );
}

function isMadeByJavaScript(node: SyntaxNode, text: string): boolean {
  if (node.kind === 'import_statement') return IMPORTS.test(plainText(node, text));
  if (/^(?:string|template_string)$/.test(node.kind)) return LOADS_CODE.test(plainText(node, text));
  if (!CALLS.has(node.kind)) return false;
  const callee = calleeOf(node);
  const isConstructor = callee !== null && plainText(childOrSelf(callee, 'property'), text) === 'constructor';
  const isOwn = /^(?:this|super)\b/.test(plainText(callee, text));
  const isOfText = argumentsOf(node).some((each) => /^(?:string|template_string)$/.test(each.kind));
  return (isConstructor && !isOwn && isOfText) || JAVASCRIPT.test(chainOf(callee, text).join('.'));
}

/**
 * `atob('…')`, `Buffer.from('…', 'base64')`, `pickle.loads(b'…')`. JSON is not reported, because it is readable text.
 */
function isDecoded(node: SyntaxNode, text: string): boolean {
  if (!CALLS.has(node.kind)) return false;
  const chain = chainOf(node, text);
  const [first, second] = argumentsOf(node).map((each) => literalOf(each, text));
  if (first === undefined || first === null) return false;
  const isBuffer =
    chain.join('.') === 'Buffer.from' && typeof second === 'string' && /^(?:base64(?:url)?|hex)$/.test(second);
  return isBuffer || (DECODES.test(lastText(chain)) && chain[0] !== 'json');
}
