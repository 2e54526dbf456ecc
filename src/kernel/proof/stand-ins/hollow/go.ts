import { childOf, textOf } from '../../syntax/walk.ts';
import type { HollowLanguage } from './hollow-language.ts';

/** `init` runs before any case, and no case calls `main`. */
const OF_THE_PROGRAM = /^(?:init|main)$/;
const IMPORT = /^(\s*(?:import\s+)?)(?:([\w.]+)\s+)?"([^"\n]+)"[ \t]*$/gm;

export const hollowGo: HollowLanguage = {
  bodyFor: (node, text) => {
    if (node.kind !== 'function_declaration' && node.kind !== 'method_declaration') return null;
    const name = childOf(node, 'name');
    return OF_THE_PROGRAM.test(textOf(name, text)) ? null : '{ panic("hollow") }';
  },

  /** In Go, an unused import is an error. */
  completed: (text) =>
    text.replace(IMPORT, (line, start: string, alias: string | undefined, path: string) => {
      const name =
        alias ??
        path
          .replace(/\/v\d+$/, '')
          .split('/')
          .at(-1)
          ?.replace(/^go-|\.v\d+$/g, '') ??
        '';
      const isUsed =
        alias === '_' ||
        alias === '.' ||
        new RegExp(`\\b${name.replace(/\W/g, '.')}\\.`).test(text.replace(IMPORT, ''));
      return isUsed ? line : `${start}_ "${path}"`;
    }),
};
