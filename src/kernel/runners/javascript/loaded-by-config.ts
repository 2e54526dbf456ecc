import { posix } from 'node:path';
import { configuredArgument } from '../command-arguments.ts';
import type { Token } from './source-tokens.ts';

/** Code files. A name without an extension is a package. */
const CODE = /\.[cm]?[jt]sx?$/;
const BESIDE = /^(?:\.{1,2}\/|<rootDir>)/;

/**
 * Returns the files that a configuration makes its runner load, as `--config.key=path`: files in the values of these
 * keys at any depth and in any form (a list, an object, `resolve(…)`), and files that the configuration imports.
 * Nothing is executed.
 */
export function loadedByConfig(
  tokens: readonly Token[],
  keys: readonly string[],
  { root, directory }: { readonly root: string; readonly directory: string },
): string[] {
  const found = tokens.flatMap((token, index): string[] => {
    const next = tokens[index + 1];
    if (token.kind !== 'mark' && keys.includes(token.value) && next?.value === ':')
      return stringsIn(tokens, index + 2).flatMap((value) => {
        const path = fileOf(value, root);
        return path === null ? [] : [configuredArgument(token.value, path)];
      });
    const path = importedAt(tokens, index);
    return path === null ? [] : [configuredArgument('import', posix.join(directory, path))];
  });
  return [...new Set(found)];
}

/** All strings in the value that starts here. */
function stringsIn(tokens: readonly Token[], start: number): string[] {
  const strings: string[] = [];
  let depth = 0;
  for (const token of tokens.slice(start)) {
    const mark = token.kind === 'mark' ? token.value : '';
    if (depth === 0 && (mark === ',' || mark === ';')) break;
    if (mark !== '' && '([{'.includes(mark)) depth += 1;
    if (mark !== '' && ')]}'.includes(mark)) depth -= 1;
    if (depth < 0) break;
    if (token.kind === 'string') strings.push(token.value);
  }
  return strings;
}

function fileOf(value: string, root: string): string | null {
  if (!BESIDE.test(value) && !CODE.test(value)) return null;
  const bare = value.replace(/^<rootDir>\/?/, '');
  if (/[*?\\^$()|]/.test(bare)) return null;
  return posix.join(value.startsWith('<rootDir>') ? root : '', bare);
}

/** `from './a.js'`, `import './a.js'`, `import('./a.js')`, `require('./a.js')`. */
function importedAt(tokens: readonly Token[], index: number): string | null {
  const token = tokens[index];
  if (token?.kind !== 'name' || !/^(?:from|import|require)$/.test(token.value)) return null;
  const next = tokens[index + 1];
  const module = next?.value === '(' ? tokens[index + 2] : next;
  return module?.kind === 'string' && /^\.{1,2}\//.test(module.value) ? module.value : null;
}
