import { linkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spelledOnDisk } from '../../../src/platform/fs/spelled-on-disk.ts';
import type { NamedDirectory } from '../../../src/platform/fs/spelled-on-disk.ts';
import { fixture } from './fixture.ts';

/** A directory that answers to every name that `same` takes for one of its own. */
function directory(names: readonly string[], same: (one: string, other: string) => boolean) {
  const read = { count: 0 };
  const answers: NamedDirectory = {
    inode: (name) => {
      const index = names.findIndex((each) => same(each, name));
      return index === -1 ? null : String(index);
    },
    names: () => {
      read.count += 1;
      return names;
    },
  };
  return { answers, read };
}

const ignoringCase = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
const withShortNames = (one: string, other: string) =>
  ignoringCase(one, other) || (one === 'server-key.pem' && ignoringCase(other, 'SERVER~1.PEM'));

describe('a name is judged as the directory spells it', () => {
  it.each([
    ['.ENV', ['a', '.env'], ignoringCase, '.env'],
    ['deploy', ['Deploy'], ignoringCase, 'Deploy'],
    ['ÉTÉ.PEM', ['été.pem'], ignoringCase, 'été.pem'],
    ['.env', ['.env'], ignoringCase, '.env'],
    ['SERVER~1.PEM', ['a', 'server-key.pem'], withShortNames, 'server-key.pem'],
    ['new.ts', ['old.ts'], ignoringCase, 'new.ts'],
  ] as const)('%s in %j', (name, names, same, spelled) => {
    expect(spelledOnDisk(directory(names, same).answers, name)).toBe(spelled);
  });

  it('reads no directory in which case matters', () => {
    const { answers, read } = directory(['.env', 'README.md'], (one, other) => one === other);
    expect(['.env', '.ENV', 'README.md', '123'].map((name) => spelledOnDisk(answers, name))).toEqual([
      '.env',
      '.ENV',
      'README.md',
      '123',
    ]);
    expect(read.count).toBe(0);
  });
});

it('two hard links that differ in case keep their names', async () => {
  const { project, open } = fixture({ 'src/.env': 'x' });
  linkSync(join(project, 'src/.env'), join(project, 'src/.ENV'));
  const workspace = await open();
  for (const path of ['src/.env', 'src/.ENV']) {
    expect(await workspace.resolve(path)).toMatchObject({ kind: 'ok', path, exists: true });
  }
});
