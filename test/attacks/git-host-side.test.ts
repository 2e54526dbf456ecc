import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { detectProject } from '../../src/cli/project/detect-project.ts';
import { runMerge } from '../../src/kernel/commit/merge/run-merge.ts';
import { diffAgainstHead } from '../../tool-plugins/git-tool/diff-tool.ts';
import { readLog } from '../../tool-plugins/git-tool/log-tool.ts';
import { readStatus } from '../../tool-plugins/git-tool/status-tool.ts';
import { makeState, mergeWorld, OWNER, prepare } from '../support/merge-fixture.ts';
import { makeRepository } from '../support/real-git.ts';
import type { RealRepository } from '../support/real-git.ts';
import { snapshotTree } from '../support/snapshot-tree.ts';
import { toolContext } from '../support/tool-context.ts';

const cleanups: (() => void)[] = [];
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
});

/** Every way a repository has of starting a program leads to one that leaves a mark. */
function hostileRepository(): { made: RealRepository; marks(): string[] } {
  const made = makeRepository();
  cleanups.push(made.remove);
  const marks = join(made.root, '..', 'marks');
  mkdirSync(marks);
  chmodSync(marks, 0o777);
  const program = (name: string): string => {
    const path = join(made.root, '..', `evil-${name.replace(/\W/g, '_')}`);
    writeFileSync(path, `#!/bin/sh\ntouch '${marks}/${name}'\ncat\n`);
    chmodSync(path, 0o755);
    return path;
  };
  made.write('src/app.js', 'export const app = 1;\n');
  made.write('secret.txt', 'one\n');
  made.write('picture.png', 'png\n');
  made.commit('first');
  made.write('.gitattributes', '*.js filter=evil diff=evil merge=evil\n*.txt diff=evil\n*.png filter=lfs\n');
  made.commit('attributes');
  for (const hook of [
    'pre-commit',
    'post-commit',
    'prepare-commit-msg',
    'commit-msg',
    'post-index-change',
    'reference-transaction',
    'post-checkout',
  ]) {
    mkdirSync(join(made.root, '.git/hooks'), { recursive: true });
    writeFileSync(join(made.root, '.git/hooks', hook), `#!/bin/sh\ntouch '${marks}/hook-${hook}'\n`);
    chmodSync(join(made.root, '.git/hooks', hook), 0o755);
  }
  const settings: Record<string, string> = {
    'core.fsmonitor': program('fsmonitor'),
    'core.pager': program('pager'),
    'core.editor': program('editor'),
    'core.sshCommand': program('ssh'),
    'core.askPass': program('askpass'),
    'core.alternateRefsCommand': program('alternate-refs'),
    'diff.external': program('diff-external'),
    'diff.evil.command': program('diff-command'),
    'diff.evil.textconv': program('textconv'),
    'filter.evil.clean': program('clean'),
    'filter.evil.smudge': program('smudge'),
    'filter.evil.required': 'true',
    'filter.lfs.process': program('lfs-process'),
    'filter.lfs.required': 'true',
    'merge.evil.driver': program('merge-driver'),
    'gpg.program': program('gpg'),
    'commit.gpgSign': 'true',
    'log.showSignature': 'true',
    'credential.helper': program('credential'),
    'trailer.x.command': program('trailer'),
    'interactive.diffFilter': program('diff-filter'),
    'pager.status': program('pager-status'),
    'pager.log': program('pager-log'),
    'pager.diff': program('pager-diff'),
    'alias.status': `!${program('alias')}`,
  };
  // Written by hand: git itself would already run some of them.
  const lines = Object.entries(settings).map(([name, value]) => {
    const [section = '', ...rest] = name.split('.');
    const key = rest.pop() ?? '';
    return `[${section}${rest.length > 0 ? ` "${rest.join('.')}"` : ''}]\n\t${key} = ${JSON.stringify(value)}\n`;
  });
  writeFileSync(
    join(made.root, '.git/config'),
    `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n${lines.join('')}`,
  );
  made.chownAll(OWNER.uid, OWNER.gid);
  return { made, marks: () => readdirSync(marks) };
}

describe('a hostile repository runs nothing', () => {
  test('when git itself is let loose on it, it does: the traps work', () => {
    const { made, marks } = hostileRepository();
    made.write('src/app.js', 'export const app = 2;\n');
    try {
      made.git('status');
      made.git('diff');
    } catch {
      // What matters is what ran.
    }
    expect(marks()).toEqual(expect.arrayContaining(['fsmonitor', 'lfs-process']));
  });

  test('when the host detects it', async () => {
    const { made, marks } = hostileRepository();
    const before = snapshotTree(made.root);
    const env = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.org', GIT_CONFIG_NOSYSTEM: '1' };
    const outcome = await detectProject(made.root, env, { invokerUid: OWNER.uid });
    expect(outcome).toMatchObject({ kind: 'ok', project: { lfs: true } });
    expect(snapshotTree(made.root)).toEqual(before);
    expect(marks()).toEqual([]);
  });

  test('when a commit is merged into it', async () => {
    const { made, marks } = hostileRepository();
    const state = makeState();
    cleanups.push(state.remove);
    const { plan } = await prepare(made, state.path, {
      'src/app.js': { text: 'export const app = 3;\n' },
      'new.txt': { text: 'new\n' },
    });
    expect((await runMerge(mergeWorld(made.root, state.path), plan)).kind).toBe('merged');
    expect(marks()).toEqual([]);
  });

  test('when the git tool looks at it', async () => {
    const { made, marks } = hostileRepository();
    made.write('src/app.js', 'export const app = 2;\n');
    made.write('secret.txt', 'two\n');
    made.write('picture.png', 'changed\n');
    const context = toolContext(made.root);
    expect((await readStatus(context)).entries.map(({ path }) => path)).toEqual([
      'picture.png',
      'secret.txt',
      'src/app.js',
    ]);
    expect((await diffAgainstHead({}, context)).diff).toContain('+two');
    expect((await readLog({ limit: 5 }, context)).commits).toHaveLength(2);
    expect(marks()).toEqual([]);
    expect(existsSync(join(made.root, '.git/index.lock'))).toBe(false);
  });
});
