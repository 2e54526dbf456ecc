import type { Glob } from './glob.ts';
import { leadingNames } from './glob-trie.ts';

/**
 * Globs are compared by facts, which are strings. A glob covers another one if it shows a fact that the other needs; otherwise nothing is proven. A
 * fact is about one place: `/a/b` for the names from the project root, `**` and a name for that name anywhere. A slash after them means only
 * directories, two slashes mean everything below. No name is empty or contains a slash, so facts are unambiguous.
 */
export const EVERY_PATH = '*';

/** What the glob certainly matches. A matched directory is matched with everything below it. */
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

/** Facts each of which proves by itself that a glob which shows it matches everything that this glob matches. */
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

/** Limits the cost of a comparison: deeper segments are ignored. */
const MAX_PARTS = 16;

function placeOf(parts: Glob['parts']): string | null {
  const names = leadingNames(parts);
  if (names.length === parts.length) return `/${names.join('/')}`;
  const [first, name, more] = parts;
  return first?.kind === 'globstar' && name?.kind === 'literal' && more === undefined ? `**${name.text}` : null;
}
