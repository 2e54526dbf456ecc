import { posix } from 'node:path';

const ENTRY = /^exports\[`((?:[^`\\]|\\.)*)`\] = `(?:[^`\\]|\\.)*`;$/gms;

/** The paths at which node:test, jest and vitest keep the snapshots of a test file. */
export function snapshotPaths(test: string): readonly string[] {
  const { dir, base } = posix.parse(test);
  return [`${test}.snapshot`, posix.join(dir, '__snapshots__', `${base}.snap`)];
}

/**
 * Returns the snapshots of a case, with the name of its copy. Snapshots are kept by the name of the case and a number.
 * '' if there are none.
 */
export function snapshotsOfCopy(snapshots: string, title: string, mark: string): string {
  const copies = [...snapshots.matchAll(ENTRY)].flatMap(([entry, key = '']) => {
    const [, before = '', rest = ''] = /^(.*?)((?:: .*)? \d+)$/s.exec(key) ?? [];
    const isOfCase = before === title || before.endsWith(` ${title}`);
    return isOfCase ? [entry.replace(key, () => `${before}${mark}${rest}`)] : [];
  });
  return copies.map((copy) => `\n${copy}\n`).join('');
}
