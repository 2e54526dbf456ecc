import type { SyntaxNode } from '../../../../../contracts/ports/syntax.ts';
import { above, childOf, plainText } from '../../../syntax/walk.ts';
import type { InspectedFile } from '../../finding.ts';
import { functionName, FUNCTIONS } from '../../names.ts';

const ENTRY = /(?:^|\/)(?:bin|scripts|benchmarks)\/|(?:^|\/)(?:bin|cli|main|__main__|setup|manage)\.\w+$/;

/** Returns whether a file is the start of a program. It may read arguments and end its process. */
export function isProgramEntry({ path, text }: InspectedFile): boolean {
  return text.startsWith('#!') || ENTRY.test(path);
}

const IS_MAIN = /__name__|require\.main|import\.meta\.main/;

/** Returns whether a node runs only if its file is the started program, or is in the function `main`. */
export function isUnderMain(node: SyntaxNode, text: string): boolean {
  const isGuard = (each: SyntaxNode): boolean => {
    const name = FUNCTIONS.has(each.kind) ? functionName(each) : null;
    if (plainText(name, text) === 'main') return true;
    const condition = each.kind === 'if_statement' ? childOf(each, 'condition') : null;
    return IS_MAIN.test(plainText(condition, text));
  };
  return above(node, isGuard) !== null;
}
