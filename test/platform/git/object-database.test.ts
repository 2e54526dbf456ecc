import { deflateSync } from 'node:zlib';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import type { ObjectId } from '../../../src/contracts/ids.ts';
import { hashObject } from '../../../src/lib/git/object-id.ts';
import { looseObjectName, openObjectDatabase } from '../../../src/platform/git/object-database.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';

const repositories: RealRepository[] = [];
afterEach(() => {
  for (const repository of repositories.splice(0)) repository.remove();
});

function repositoryWithHistory(): RealRepository {
  const repository = makeRepository();
  repositories.push(repository);
  const lines = Array.from({ length: 400 }, (_, n) => `line ${n}`);
  for (let version = 0; version < 12; version++) {
    lines[version * 30] = `changed in ${version}`;
    repository.write('src/long.txt', lines.join('\n'));
    repository.write(`src/deep/er/file-${version}.txt`, `${version}\n`);
    repository.write('binary.bin', Buffer.from(Array.from({ length: 3000 }, (_, n) => (n * version) % 251)));
    repository.commit(`version ${version}`);
  }
  repository.git('tag', '-a', 'v1', '-m', 'first');
  return repository;
}

function everyObject(repository: RealRepository): string[] {
  return repository
    .git('cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype) %(objectsize)')
    .trim()
    .split('\n');
}

async function expectSameAsGit(repository: RealRepository): Promise<void> {
  const database = openObjectDatabase(join(repository.root, '.git/objects'));
  try {
    const objects = everyObject(repository);
    expect(objects.length).toBeGreaterThan(60);
    for (const line of objects) {
      const [id = '', type = '', size] = line.split(' ');
      const object = await database.read(id as ObjectId);
      expect(object?.type).toBe(type);
      expect(object?.content.length).toBe(Number(size));
      expect(hashObject(object?.type ?? 'blob', object?.content ?? Buffer.alloc(0))).toBe(id);
    }
  } finally {
    await database.close();
  }
}

const LAYOUTS: Record<string, (repository: RealRepository) => void> = {
  'loose objects': () => undefined,
  'a pack with offset deltas': (repository) => repository.git('repack', '-adfq', '--depth=50', '--window=50'),
  'a pack with id deltas': (repository) =>
    repository.git('-c', 'repack.useDeltaBaseOffset=false', 'repack', '-adfq', '--depth=50', '--window=50'),
  'several packs and loose objects': (repository) => {
    repository.git('repack', '-q');
    repository.write('later.txt', 'later\n');
    repository.commit('later');
    repository.git('repack', '-q');
    repository.write('last.txt', 'last\n');
    repository.commit('last');
  },
  'a pack with a multi-pack index': (repository) => {
    repository.git('repack', '-adfq');
    repository.git('multi-pack-index', 'write');
  },
};

describe('reads every object as git does', () => {
  test.each(Object.keys(LAYOUTS))('from %s', async (layout) => {
    const repository = repositoryWithHistory();
    LAYOUTS[layout]?.(repository);
    await expectSameAsGit(repository);
  });
});

test('finds an object that was packed after the database was opened', async () => {
  const repository = repositoryWithHistory();
  const database = openObjectDatabase(join(repository.root, '.git/objects'));
  const head = repository.git('rev-parse', 'HEAD').trim() as ObjectId;
  expect((await database.read(head))?.type).toBe('commit');
  repository.git('repack', '-adfq');
  repository.git('prune-packed');
  expect((await database.read(head))?.type).toBe('commit');
  await database.close();
});

test('answers null for an object that is not there', async () => {
  const repository = repositoryWithHistory();
  const database = openObjectDatabase(join(repository.root, '.git/objects'));
  expect(await database.read('1'.repeat(40) as ObjectId)).toBeNull();
  await database.close();
});

test.each(Object.keys(LAYOUTS))('refuses an object that is larger than the reader wants, from %s', async (layout) => {
  const repository = repositoryWithHistory();
  LAYOUTS[layout]?.(repository);
  const database = openObjectDatabase(join(repository.root, '.git/objects'));
  for (const revision of ['HEAD:src/long.txt', 'HEAD~5:src/long.txt']) {
    const id = repository.git('rev-parse', revision).trim() as ObjectId;
    await expect(database.read(id, 100)).rejects.toMatchObject({
      code: 'object_too_large',
      why: 'it has more than 100 bytes',
    });
  }
  await database.close();
});

describe('a hostile object file is refused', () => {
  const id = hashObject('blob', Buffer.from('true content'));
  const bomb = deflateSync(Buffer.concat([Buffer.from('blob 50000000\0'), Buffer.alloc(50_000_000)]));
  const CASES: Record<string, { bytes: Buffer; why: RegExp }> = {
    'with the content of another id': { bytes: deflateSync('blob 5\0other'), why: /other content/ },
    'with bytes behind it': {
      bytes: Buffer.concat([deflateSync('blob 12\0true content'), Buffer.from('!')]),
      why: /bytes after/,
    },
    'that inflates beyond the bound': { bytes: bomb, why: /more than 1000000 bytes/ },
    'with a false size': { bytes: deflateSync('blob 13\0true content'), why: /size differs/ },
    'of an unknown type': { bytes: deflateSync('blub 12\0true content'), why: /malformed header/ },
    'that is cut short': { bytes: deflateSync('blob 12\0true content').subarray(0, 10), why: /not a zlib/ },
    'that is no zlib stream': { bytes: Buffer.from('plain'), why: /not a zlib/ },
  };
  test.each(Object.entries(CASES))('%s', async (_, { bytes, why }) => {
    const repository = makeRepository();
    repositories.push(repository);
    const objects = join(repository.root, '.git/objects');
    const path = join(objects, looseObjectName(id));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    const database = openObjectDatabase(objects);
    await expect(database.read(id, 1_000_000)).rejects.toThrow(why);
    await database.close();
  });

  test.each(['link', 'fifo'])('that is a %s', async (kind) => {
    const repository = makeRepository();
    repositories.push(repository);
    const objects = join(repository.root, '.git/objects');
    const path = join(objects, looseObjectName(id));
    mkdirSync(dirname(path), { recursive: true });
    const elsewhere = join(repository.root, 'elsewhere');
    writeFileSync(elsewhere, deflateSync('blob 12\0true content'));
    if (kind === 'link') symlinkSync(elsewhere, path);
    else execFileSync('mkfifo', [path]);
    const database = openObjectDatabase(objects);
    await expect(database.read(id)).rejects.toThrow(/symbolic link|not a regular file/);
    await database.close();
  });
});

test('a pack damaged at any of its bytes never yields other content and never hangs', async () => {
  const repository = repositoryWithHistory();
  repository.git('repack', '-adfq', '--depth=50', '--window=50');
  const objects = join(repository.root, '.git/objects');
  const ids = everyObject(repository).map((line) => line.slice(0, 40) as ObjectId);
  const name = readdirSync(join(objects, 'pack')).find((file) => file.endsWith('.pack')) ?? '';
  const path = join(objects, 'pack', name);
  chmodSync(path, 0o600);
  const sound = readFileSync(path);
  let failures = 0;
  for (let at = 12; at < sound.length; at += Math.ceil(sound.length / 60)) {
    const damaged = Buffer.from(sound);
    damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    writeFileSync(path, damaged);
    const database = openObjectDatabase(objects);
    for (const id of ids) {
      try {
        const object = await database.read(id);
        expect(hashObject(object?.type ?? 'blob', object?.content ?? Buffer.alloc(0))).toBe(id);
      } catch (error) {
        expect(error).toHaveProperty('code', 'repository_unreadable');
        failures++;
      }
    }
    await database.close();
  }
  expect(failures).toBeGreaterThan(0);
  rmSync(path);
});
