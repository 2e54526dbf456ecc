import type { Glob } from './glob.ts';
import { leadingNames } from './glob-trie.ts';

/**
 * Globs are compared by facts, which are strings. A glob covers another one if it shows a fact that the other needs; if it shows none,
 * nothing is proven. A fact is about one place: `/a/b` for the names from the project's root, `**` and a name for that name anywhere. A slash
 * after them means only directories, two slashes what lies beneath. No name is empty or holds a slash, so no two facts look alike.
 */
export const EVERY_PATH = '*';

/** What the glob is certain to match. A directory that is matched is matched with all beneath it. */
export function shownFacts(glob: Glob): readonly string[] {
  const { parts, directoryOnly } = glob;
  const same = `= ${glob.source}`;
  const last = parts.at(-1);
  if (last?.kind === 'any' && !directoryOnly) {
    if (parts.length === 1) return [same, EVERY_PATH];
    const place = placeOf(parts.slice(0, -1));
    return place === null ? [same] : [same, `${place}//`];
  }
  const place = placeOf(parts);
  if (place === null) return [same];
  const directory = [same, `${place}/`, `${place}//`];
  return directoryOnly ? directory : [...directory, place];
}

/** Facts of which each one alone proves that a glob which shows it matches all that this glob matches. */
export function neededFacts(glob: Glob): readonly string[] {
  const facts = [EVERY_PATH, `= ${glob.source}`];
  const { parts, directoryOnly } = glob;
  const upTo = (place: string, index: number) => {
    const isWhole = index === parts.length - 1;
    facts.push(isWhole ? (directoryOnly ? `${place}/` : place) : `${place}//`);
  };
  let place = '';
  for (const [index, name] of leadingNames(parts).entries()) upTo((place += `/${name}`), index);
  for (const [index, part] of parts.slice(0, MAX_PARTS).entries()) {
    if (part.kind === 'literal') upTo(`**${part.text}`, index);
  }
  return facts;
}

/** Limits the cost of comparing: deeper segments are ignored. */
const MAX_PARTS = 16;

function placeOf(parts: Glob['parts']): string | null {
  const names = leadingNames(parts);
  if (names.length === parts.length) return `/${names.join('/')}`;
  const [first, name, more] = parts;
  return first?.kind === 'globstar' && name?.kind === 'literal' && more === undefined ? `**${name.text}` : null;
}
