import { lastText } from '../../lib/text/first-last.ts';
/**
 * Why some packages of a Cargo.toml do not come from the registry, in any notation of TOML; null if all do. A notation
 * that is not understood counts as a key, which can only lead to a refusal. Pure.
 */
export function whyElsewhere(manifest: string): string | null {
  const keys = keysOf(manifest);
  return ELSEWHERE.find(([isOne]) => keys.some(isOne))?.[1] ?? null;
}

type Key = readonly string[];

const LISTS = /^(?:dev-|build-)?dependencies$/;
const ofDependency =
  (name: RegExp) =>
  (key: Key): boolean =>
    name.test(lastText(key)) && key.slice(0, -1).some((each) => LISTS.test(each));

const ELSEWHERE: readonly (readonly [isOne: (key: Key) => boolean, why: string])[] = [
  [
    ([first, second]) => first === 'workspace' && second === 'members',
    'the project is a workspace of several packages',
  ],
  [([first]) => first === 'patch' || first === 'replace', 'it replaces packages (patch)'],
  [ofDependency(/^(?:path|base)$/), 'it depends on a directory (path)'],
  [ofDependency(/^git$/), 'it depends on a repository of git'],
  [ofDependency(/^registry(?:-index)?$/), 'it names a registry of its own'],
];

const KEY = String.raw`(?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:[ \t]*\.[ \t]*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*`;
const HEADER = new RegExp(String.raw`^[ \t]*\[\[?[ \t]*(${KEY})[ \t]*\]`);
const ENTRY = new RegExp(String.raw`(?:^|[{,])[ \t]*(${KEY})[ \t]*=`, 'g');

/**
 * Each table, and each key with the tables that contain it: `foo.git = …` below `[dependencies]` becomes dependencies,
 * foo, git.
 */
function keysOf(manifest: string): Key[] {
  let table: Key = [];
  return manifest.split(/\r?\n/).flatMap((line) => {
    const header = HEADER.exec(line)?.[1];
    if (header !== undefined) {
      table = partsOf(header);
      return [table];
    }
    // The first key of a line, and the keys of an inline table in it, which belong to the first.
    let outer: Key = table;
    return [...line.matchAll(ENTRY)].map(([, written = ''], index) => {
      const key = [...outer, ...partsOf(written)];
      if (index === 0) outer = key;
      return key;
    });
  });
}

function partsOf(key: string): string[] {
  return [...key.matchAll(/[\w-]+|"[^"]*"|'[^']*'/g)].map(([part]) => unescaped(part.replaceAll(/^["']|["']$/g, '')));
}

/** Resolves escapes: `"p\u0061th"` is also the key path. */
function unescaped(part: string): string {
  return part.replaceAll(/\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})/g, (_, short: string, long: string) =>
    String.fromCodePoint(Math.min(0x10_ff_ff, parseInt(short ?? long, 16))),
  );
}
