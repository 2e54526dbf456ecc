import type { SyntaxNode } from '../../../../contracts/ports/syntax.ts';
import { plainText } from '../../syntax/walk.ts';
import { addedNodes } from '../added-nodes.ts';
import type { Inspection } from '../finding.ts';
import { calleeOf, CALLS, chainOf } from '../names.ts';

const JAVASCRIPT =
  /^(?:(?:globalThis|window|global)\.)?(?:eval|Function|AsyncFunction|GeneratorFunction)$|\.constructor\.constructor$|\._compile$|^(?:vm\.(?:runIn\w+|Script|SourceTextModule|compileFunction)|WebAssembly\.\w+)$/;
const PYTHON =
  /^(?:(?:builtins|__builtins__)\.)?(?:eval|exec|compile|__import__)$|^(?:marshal\.loads?|types\.(?:FunctionType|CodeType)|runpy\.\w+|ctypes\.\w+)$/;
const LOADS_CODE = /^data:(?:text|application)\/javascript/;
const IMPORTS = /['"](?:node:)?vm['"]/;
const WORDS = 'code that is made of a text when it runs was not examined';

/** Code that is in no syntax tree: a text, bytes or a data address that becomes a program at run time. */
export const madeAtRunTime: Inspection = {
  kind: 'not-examined',
  *look(file) {
    const isPython = file.language === 'python';
    if (!isPython && !/^(?:javascript|typescript|tsx)$/.test(file.language)) return;
    for (const node of addedNodes(file)) {
      if (isPython ? isMadeByPython(node, file.text) : isMadeByJavaScript(node, file.text))
        yield { line: node.line, words: WORDS };
    }
  },
};

function isMadeByPython(node: SyntaxNode, text: string): boolean {
  return CALLS.has(node.kind) && PYTHON.test(chainOf(calleeOf(node), text).join('.'));
}

function isMadeByJavaScript(node: SyntaxNode, text: string): boolean {
  if (node.kind === 'import_statement') return IMPORTS.test(plainText(node, text));
  if (node.kind === 'string') return LOADS_CODE.test(plainText(node, text).slice(1));
  return CALLS.has(node.kind) && JAVASCRIPT.test(chainOf(calleeOf(node), text).join('.'));
}
