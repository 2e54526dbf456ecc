import { join } from 'node:path';
import { parseJson } from '../../../lib/parse-json.ts';
import { type NodeRange, parseNodeRange } from '../../../lib/packages/node-range.ts';
import { askingText, firstLine, memberOf, miseVersion, textOf } from '../asked-version.ts';
import type { NODE_FILES } from '../version-places.ts';

/** The Node that a project requests. */
export interface AskedNode {
  /** The file that names it, project-relative: `packages/a/.nvmrc`, `package.json (engines)`. */
  readonly place: string;
  readonly range: NodeRange;
}

const miseNode = (text: string): string => miseVersion(text, ['node', 'nodejs']);

interface Place {
  readonly file: (typeof NODE_FILES)[number];
  /** The relevant part of the file, for people. */
  readonly part?: string;
  /** The request: a version, a range, a word; '' if there is none. */
  readonly read: (text: string) => string;
}

/** Where a project names its Node, in order of precedence: a file that selects a version precedes a range. */
const PLACES: readonly Place[] = [
  { file: '.nvmrc', read: firstLine },
  { file: '.node-version', read: firstLine },
  { file: '.tool-versions', read: (text) => /^[ \t]*node(?:js)?[ \t]+(\S+)/m.exec(text)?.[1] ?? '' },
  { file: 'mise.toml', read: miseNode },
  { file: '.mise.toml', read: miseNode },
  { file: 'package.json', part: 'volta', read: (text) => textOf(memberOf(memberOf(parseJson(text), 'volta'), 'node')) },
  { file: 'package.json', part: 'devEngines', read: (text) => devEngine(parseJson(text)) },
  {
    file: 'package.json',
    part: 'engines',
    read: (text) => textOf(memberOf(memberOf(parseJson(text), 'engines'), 'node')),
  },
];

/**
 * The project's request in the first of `directories` that has one; null if there is none. Words such as `lts/*` count if `alias` knows them. Nothing
 * is executed, no link is followed.
 */
export async function askedNode(
  projectRoot: string,
  directories: readonly string[],
  alias: (word: string) => Promise<string | null>,
): Promise<AskedNode | null> {
  for (const { file, part, read } of PLACES) {
    for (const directory of directories) {
      const written = read(await askingText(join(projectRoot, directory, file)));
      if (written === '') continue;
      const named = await alias(written);
      const range = (named === null ? null : parseNodeRange(named)) ?? parseNodeRange(written);
      if (range === null) continue;
      const place = join(directory, part === undefined ? file : `${file} (${part})`);
      return { place, range: { ...range, text: parseNodeRange(written)?.text ?? `${written} (${range.text})` } };
    }
  }
  return null;
}

/** The first entry for Node in `devEngines.runtime`. */
function devEngine(manifest: unknown): string {
  const runtime = memberOf(memberOf(manifest, 'devEngines'), 'runtime');
  const all: readonly unknown[] = Array.isArray(runtime) ? runtime : [runtime];
  return textOf(
    memberOf(
      all.find((each) => memberOf(each, 'name') === 'node'),
      'version',
    ),
  );
}
