import type { SyntaxLanguage, SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, kindOf, nodesOf, plainText } from '../../../syntax/walk.ts';
import type { InspectedFile, Inspection } from '../../finding.ts';
import { argumentsOf, calleeOf, CALLS, chainOf, functionName, FUNCTIONS } from '../../names.ts';
import { addedNodes } from '../../added-nodes.ts';
import { isProgramEntry, isUnderMain } from '../test-signs/program-entry.ts';

const JAVASCRIPT = /^(?:process\.(?:exit|reallyExit|abort)|Deno\.exit|quit|exit|abort)$/;
const RUBY = /^(?:(?:Kernel\.)?(?:exit!?|abort|at_exit|exec|quit)|Process\.(?:exit!?|abort|kill|exec))$/;
/** Calls that end the process, by language. All other languages use the pattern of JavaScript. */
const ENDS: Readonly<Partial<Record<SyntaxLanguage, RegExp>>> = {
  python: /^(?:os\.(?:_exit|abort|execv\w*)|sys\.exit|quit|exit)$/,
  ruby: RUBY,
  java: /^(?:System\.exit|Runtime\.getRuntime\.(?:exit|halt|addShutdownHook)|exit)$/,
  go: /^(?:(?:os|syscall|unix)\.Exit|log\.Fatal(?:f|ln)?|runtime\.Goexit)$/,
  rust: /^(?:(?:\w+\.)*(?:process|libc)\.)?(?:exit|abort|_exit|quick_exit)$/,
  cpp: /^(?:std\.)?(?:exit|_exit|_Exit|quick_exit|abort|at_?exit|terminate)$/,
};
const KILLS = /(?:^|\.)kill$/i;
const OWN = /^(?:(?:process|Deno)\.p?pid|(?:(?:os|syscall)\.|libc::)?(?:getp?pid|Getp?pid|getmypid)\()/;

/** Code that ends the process or sets its exit code. It could decide the result of the run in place of the runner. */
export const endsProcess: Inspection = {
  kind: 'ends-process',
  *look(file) {
    if (isProgramEntry(file)) return;
    for (const node of addedNodes(file)) {
      if (CALLS.has(node.kind) && endsByCall(node, file) && !isUnderMain(node, file.text)) {
        yield { line: node.line, words: `${plainText(calleeOf(node) ?? node, file.text)} ends the process` };
      }
      if (isExitOfRuby(node, file.text))
        yield { line: node.line, words: `${plainText(node, file.text)} ends the process` };
      const left = node.kind === 'assignment_expression' ? childOf(node, 'left') : null;
      if (/^(?:process|Deno)\.exitCode$/.test(plainText(left, file.text))) {
        yield { line: node.line, words: 'it sets the exit code' };
      }
    }
  },
};

/** In Ruby, `exit` without arguments has no parentheses and is an identifier. */
function isExitOfRuby(node: SyntaxNode, text: string): boolean {
  const isAlone =
    node.kind === 'identifier' &&
    /_statement$|^(?:then|else|program)$|_modifier$|^block_body$/.test(kindOf(node.parent));
  return isAlone && /^(?:exit!?|abort)$/.test(plainText(node, text));
}

function endsByCall(call: SyntaxNode, file: InspectedFile): boolean {
  const { language, text } = file;
  const name = chainOf(call, text).join('.');
  const [target] = argumentsOf(call);
  return (
    ((ENDS[language] ?? JAVASCRIPT).test(name) && !isOwn(name, call, file)) ||
    (KILLS.test(name) && OWN.test(plainText(target, text)))
  );
}

const BY_NAME_ALONE = /^(?:java|cpp|javascript|typescript|tsx|python|rust)$/;
const SCOPES =
  /^(?:program|translation_unit|statement_block|compound_statement|class_body|field_declaration_list|declaration_list|module|source_file)$/;
/**
 * In Python and Rust, only a function at the top level of a module counts: a function in a class or `impl` is called on
 * an object, and a decorator changes the function.
 */
const TOPS: Readonly<Partial<Record<SyntaxLanguage, RegExp>>> = {
  python: /^module$/,
  rust: /^(?:source_file|mod_item)$/,
};

/**
 * Whether a name refers to a function of the file at the place of the call: `exit()` in a Java class that declares
 * `exit`. A method in JavaScript is only called on its object.
 */
function isOwn(name: string, call: SyntaxNode, { language, root, text }: InspectedFile): boolean {
  if (!BY_NAME_ALONE.test(language)) return false;
  const all = [...nodesOf(root)];
  if (TOPS[language] !== undefined && all.some((node) => meansAnother(node, name, text))) return false;
  return all.some((node) => {
    const own = FUNCTIONS.has(node.kind) && node.kind !== 'method_definition' ? functionName(node) : null;
    if (own === null || plainText(own, text) !== name) return false;
    const top = node.parent?.kind === 'declaration_list' ? node.parent.parent : node.parent;
    if (!(TOPS[language] ?? /./).test(kindOf(top))) return false;
    const scope = above(node, ({ kind }) => SCOPES.test(kind));
    return scope !== null && scope.start <= call.start && call.end <= scope.end;
  });
}

/** Whether a node imports, assigns or deletes the name. */
function meansAnother(node: SyntaxNode, name: string, text: string): boolean {
  const isPlace = /^(?:import_from_statement|import_statement|use_declaration|delete_statement|global_statement)$/.test(
    node.kind,
  );
  const isGiven =
    /^(?:left|alias|pattern)$/.test(node.field ?? '') &&
    /assignment|import|declaration|^for|as_/.test(kindOf(node.parent));
  if (!isPlace && !isGiven) return false;
  return [...nodesOf(node)].some(
    ({ children, start, end }) => children.length === 0 && text.slice(start, end) === name,
  );
}
