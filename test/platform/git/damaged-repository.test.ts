import { chmodSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRepository } from '../../../src/platform/git/repository.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';

const loose = (made: RealRepository, revision: string): string => {
  const id = made.git('rev-parse', revision).trim();
  return join(made.root, '.git/objects', id.slice(0, 2), id.slice(2));
};
const flip = (path: string, at: number): void => {
  const bytes = readFileSync(path);
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  chmodSync(path, 0o600);
  writeFileSync(path, bytes);
};

interface Damage {
  readonly damage: (made: RealRepository) => void;
  /** Part of what is named as unreadable. */
  readonly named: RegExp;
  readonly why: RegExp;
  readonly fix: RegExp;
}

const FSCK = /git fsck/;
const DAMAGES: Record<string, Damage> = {
  'an index with a flipped bit': {
    damage: (made) => flip(join(made.root, '.git/index'), 40),
    named: /\.git\/index$/,
    why: /damaged: wrong checksum/,
    fix: /git reset/,
  },
  'an index that was cut': {
    damage: (made) => truncateSync(join(made.root, '.git/index'), 50),
    named: /\.git\/index$/,
    why: /damaged/,
    fix: /git reset/,
  },
  'an empty index': {
    damage: (made) => truncateSync(join(made.root, '.git/index'), 0),
    named: /\.git\/index$/,
    why: /damaged: not an index/,
    fix: /git reset/,
  },
  'a missing commit': {
    damage: (made) => rmSync(loose(made, 'HEAD')),
    named: /commit [0-9a-f]{40}$/,
    why: /missing/,
    fix: FSCK,
  },
  'a commit with other content': {
    damage: (made) => flip(loose(made, 'HEAD'), 30),
    named: /\.git\/objects/,
    why: /./,
    fix: FSCK,
  },
  'a branch that names a tree': {
    damage: (made) => writeFileSync(join(made.root, '.git/refs/heads/main'), made.git('rev-parse', 'HEAD^{tree}')),
    named: /commit [0-9a-f]{40}$/,
    why: /not a commit/,
    fix: FSCK,
  },
  'a missing tree': {
    damage: (made) => rmSync(loose(made, 'HEAD^{tree}')),
    named: /tree [0-9a-f]{40}$/,
    why: /missing/,
    fix: FSCK,
  },
  'an empty tree file': {
    damage: (made) => {
      const path = loose(made, 'HEAD^{tree}');
      chmodSync(path, 0o600);
      truncateSync(path, 0);
    },
    named: /\.git\/objects/,
    why: /./,
    fix: FSCK,
  },
  'a HEAD of zeros': {
    damage: (made) => writeFileSync(join(made.root, '.git/HEAD'), Buffer.alloc(20)),
    named: /\.git\/HEAD$/,
    why: /not a ref/,
    fix: FSCK,
  },
  'an empty HEAD': {
    damage: (made) => truncateSync(join(made.root, '.git/HEAD'), 0),
    named: /\.git\/HEAD$/,
    why: /not a ref/,
    fix: FSCK,
  },
  'an empty branch': {
    damage: (made) => truncateSync(join(made.root, '.git/refs/heads/main'), 0),
    named: /refs\/heads\/main$/,
    why: /not a ref/,
    fix: FSCK,
  },
  'a pack that was cut': {
    damage: (made) => {
      made.git('gc', '--quiet');
      const packs = join(made.root, '.git/objects/pack');
      for (const name of readdirSync(packs)) {
        if (!name.endsWith('.pack')) continue;
        chmodSync(join(packs, name), 0o600);
        truncateSync(join(packs, name), 40);
      }
    },
    named: /\.pack$/,
    why: /./,
    fix: FSCK,
  },
};

test.each(Object.entries(DAMAGES))('%s is repository_unreadable, with a way to repair it', async (_, expected) => {
  const made = makeRepository();
  try {
    made.write('src/app.js', 'export {};\n');
    made.commit('first');
    expected.damage(made);
    const gitDir = join(made.root, '.git');
    const repository = openRepository({ gitDir, commonDir: gitDir });
    await expect(repository.state()).rejects.toMatchObject({
      code: 'repository_unreadable',
      exitCode: 2,
      what: expect.stringMatching(expected.named) as string,
      why: expect.stringMatching(expected.why) as string,
      fix: expect.stringMatching(expected.fix) as string,
    });
    await repository.close();
  } finally {
    made.remove();
  }
});
