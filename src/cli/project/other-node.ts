import { join } from 'node:path';
import { OLDEST_NODE } from '../../host/images/sandbox-node.ts';
import { ancestors } from '../../lib/ancestors.ts';
import { type NodeRange, parseNodeRange } from '../../lib/packages/node-range.ts';
import { parseJson } from '../../lib/parse-json.ts';
import type { ProjectFiles } from '../../kernel/runners/runner.ts';
import { readProjectFiles } from '../config/init/project-files.ts';

/** That a project asks for another Node than sandboxes have. */
export interface OtherNode {
  readonly what: string;
  readonly why: string;
  readonly fix: string;
}

/** The newest Node that is proposed. */
const NEWEST_NODE = 40;

/** Where a project names its Node, what counts most first. */
const PLACES: readonly { readonly name: string; readonly read: (files: ProjectFiles) => string }[] = [
  { name: '.nvmrc', read: (files) => firstLine(files.text('.nvmrc')) },
  { name: '.node-version', read: (files) => firstLine(files.text('.node-version')) },
  {
    name: '.tool-versions',
    read: (files) => /^[ \t]*node(?:js)?[ \t]+(\S+)/m.exec(files.text('.tool-versions'))?.[1] ?? '',
  },
  { name: 'package.json (volta)', read: (files) => nodeIn(files, 'volta') },
  { name: 'package.json (engines)', read: (files) => nodeIn(files, 'engines') },
];

/**
 * What the project says in `cwd` or above it, if that leaves out the major version that sandboxes have. A file that picks a version counts before the range
 * of a package below it. Words such as `lts/*` name no version. Nothing is executed, no link is followed.
 */
export function otherNode(projectRoot: string, cwd: string, major: number): OtherNode | null {
  const directories = cwd === '' ? [''] : [cwd, ...ancestors(cwd).reverse(), ''];
  const all = directories.map((directory) => ({ directory, files: readProjectFiles(join(projectRoot, directory)) }));
  for (const { name, read } of PLACES) {
    for (const { directory, files } of all) {
      const range = parseNodeRange(read(files));
      if (range !== null) return range.allows(major) ? null : describe(join(directory, name), range, major);
    }
  }
  return null;
}

function describe(place: string, range: NodeRange, major: number): OtherNode {
  const what = `${place} asks for Node ${range.text}; tests and commands run with Node ${major}`;
  const usable = Array.from({ length: NEWEST_NODE - OLDEST_NODE + 1 }, (_, index) => OLDEST_NODE + index);
  const wished = usable.find((each) => range.allows(each));
  return wished === undefined
    ? {
        what,
        why: `Runners of JavaScript need Node ${OLDEST_NODE} or later`,
        fix: `if a test fails only in a session, change the project so that it works with Node ${major} too`,
      }
    : {
        what,
        why: "Sandboxes have the Node of fluffy's own images",
        fix: `to use another, run fluffy image use node:${wished}`,
      };
}

function firstLine(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return lines.find((line) => line !== '') ?? '';
}

function nodeIn(files: ProjectFiles, key: 'volta' | 'engines'): string {
  const manifest = memberOf(parseJson(files.text('package.json')), key);
  const node = memberOf(manifest, 'node');
  return typeof node === 'string' ? node : '';
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
}
