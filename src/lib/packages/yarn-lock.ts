import { firstText } from '../text/first-last.ts';
import type { JavascriptLockOutcome, LockEntry, LockOrigin } from './javascript-lock.ts';

/** One complete address of an archive in yarn.lock. */
export const RESOLVED = /^ {2}resolved "([^"\n]*)"$/gm;

interface RawEntry {
  /** `name@range`: each pattern that the entry resolves. */
  readonly patterns: readonly string[];
  readonly fields: ReadonlyMap<string, string>;
}

/** Reads yarn.lock as Yarn 1 writes it. It does not contain workspace members. */
export function readYarnLock(text: string): JavascriptLockOutcome {
  if (/^__metadata:/m.test(text))
    return {
      kind: 'unreadable',
      why: 'it was written by Yarn 2 or later, which is not run here, and tests find packages only in node_modules (nodeLinker: node-modules)',
    };
  if (!/^# yarn lockfile v1$/m.test(text)) return { kind: 'unreadable', why: 'it is not a yarn.lock of Yarn 1' };
  const raw = readEntries(text);
  if (typeof raw === 'string') return { kind: 'unreadable', why: raw };
  const packages: LockEntry[] = [];
  for (const { patterns, fields } of raw) {
    const name = nameOf(firstText(patterns));
    const version = fields.get('version');
    if (name === null || version === undefined)
      return {
        kind: 'unreadable',
        why: `it has an entry without a name and a version: ${firstText(patterns).slice(0, 100)}`,
      };
    packages.push(entryOf(name, version, fields));
  }
  return { kind: 'lock', packages, links: [], unusable: null };
}

/** The name in `name@range`; for an alias (`name@npm:other@range`) the other name. */
function nameOf(pattern: string): string | null {
  const alias = /^(?:@[^/@]+\/)?[^/@]+@npm:((?:@[^/@]+\/)?[^/@]+)(?:@|$)/.exec(pattern)?.[1];
  return alias ?? /^((?:@[^/@]+\/)?[^/@]+)(?:@|$)/.exec(pattern)?.[1] ?? null;
}

function entryOf(name: string, version: string, fields: ReadonlyMap<string, string>): LockEntry {
  const resolved = fields.get('resolved');
  const [address = '', sha1 = ''] = (resolved ?? '').split('#');
  const own = /^[0-9a-f]{40}$/.test(sha1) ? `sha1-${Buffer.from(sha1, 'hex').toString('base64')}` : null;
  return {
    name,
    version,
    origin: originOf(name, version, resolved, address),
    digest: fields.get('integrity') ?? own,
    hasInstallScript: false,
  };
}

/** The registry's host does not matter: an archive is fetched from the user's own registry, by the name and version in the path. */
function originOf(name: string, version: string, resolved: string | undefined, address: string): LockOrigin {
  if (resolved === undefined) return { kind: 'elsewhere', words: 'a directory, or from nowhere' };
  if (!/^https?:\/\//.test(address)) return { kind: 'elsewhere', words: resolved };
  return archivePath(address) === `${name}/-/${name.replace(/^@[^/]+\//, '')}-${version}.tgz`
    ? { kind: 'registry' }
    : { kind: 'elsewhere', words: resolved };
}

/** `name/-/base-version.tgz` at the end of an address. */
export function archivePath(address: string): string | null {
  return /\/((?:@[^/]+\/)?[^/@]+\/-\/[^/]+\.tgz)$/.exec(address.replace(/%2f/gi, '/'))?.[1] ?? null;
}

/** Returns an error text if a line is not in Yarn's format. */
function readEntries(text: string): readonly RawEntry[] | string {
  const entries: { patterns: string[]; fields: Map<string, string> }[] = [];
  const seen = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || line.startsWith('#') || line.startsWith('    ')) continue;
    if (!line.startsWith(' ')) {
      if (!line.endsWith(':')) return `it has a line that Yarn does not write: ${line.slice(0, 100)}`;
      const patterns = line.slice(0, -1).split(', ').map(unquoted);
      const twice = patterns.find((each) => seen.has(each));
      if (twice !== undefined) return `it has ${twice.slice(0, 100)} twice`;
      for (const each of patterns) seen.add(each);
      entries.push({ patterns, fields: new Map() });
      continue;
    }
    const [, key, value] = /^ {2}([A-Za-z]+)(?::| (.+))$/.exec(line) ?? [];
    const entry = entries.at(-1);
    if (key === undefined || entry === undefined)
      return `it has a line that Yarn does not write: ${line.slice(0, 100)}`;
    if (entry.fields.has(key)) return `it says ${key} twice of ${entry.patterns[0]?.slice(0, 100) ?? ''}`;
    entry.fields.set(key, unquoted(value ?? ''));
  }
  return entries;
}

function unquoted(text: string): string {
  return /^"(.*)"$/.exec(text)?.[1] ?? text;
}
