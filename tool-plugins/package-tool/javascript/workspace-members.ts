import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { MemberManifests } from '../../../src/contracts/sandbox/package-managers.ts';
import { parseJson } from '../../../src/lib/parse-json.ts';

const MANIFEST = 'package.json';

/** A package manager sees no source of the workspace's members. It links their programs only where they are: empty files stand in. */
export async function writeMembers(project: string, members: MemberManifests): Promise<void> {
  for (const [directory, text] of Object.entries(members)) {
    const root = join(project, directory);
    await mkdir(root, { recursive: true });
    await writeFile(join(root, MANIFEST), text);
    for (const program of programsOf(text)) {
      const path = posix.normalize(program);
      if (path === '.' || path.startsWith('..') || path.startsWith('/')) continue;
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), '', { flag: 'a' });
    }
  }
}

export async function readMembers(project: string, directories: readonly string[]): Promise<MemberManifests> {
  const texts = directories.map(async (each) => [each, await readFile(join(project, each, MANIFEST), 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

function programsOf(text: string): string[] {
  const parsed = parseJson(text);
  const bin: unknown = typeof parsed === 'object' && parsed !== null && 'bin' in parsed ? parsed.bin : undefined;
  const paths = typeof bin === 'object' && bin !== null ? Object.values(bin) : [bin];
  return paths.filter((path) => typeof path === 'string');
}
