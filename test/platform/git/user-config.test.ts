import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readUserConfig } from '../../../src/platform/git/user-config.ts';

const home = mkdtempSync(join(tmpdir(), 'fluffy-user-config-'));
afterAll(() => rmSync(home, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}

it("reads the user's files and what they include as git does", async () => {
  const gitDir = join(home, 'work/project/.git');
  execFileSync('git', ['init', '-q', dirname(gitDir)], { env: { PATH: process.env['PATH'], HOME: home } });
  write('.config/git/config', '[user]\n\tname = Of XDG\n[core]\n\tquotePath = false\n');
  write(
    '.gitconfig',
    [
      '[user]\n\tname = Ada\n\temail = ada@example.invalid',
      '[include]\n\tpath = more/always',
      '[includeIf "gitdir:~/work/"]\n\tpath = more/work',
      '[includeIf "gitdir:~/private/"]\n\tpath = more/private',
      '[includeIf "gitdir/i:~/WORK/"]\n\tpath = more/any-case',
      '[includeIf "onbranch:never"]\n\tpath = more/private',
    ].join('\n'),
  );
  write('more/always', '[a]\n\tb = always\n');
  write('more/work', '[a]\n\tc = work\n[include]\n\tpath = deeper\n');
  write('more/deeper', '[a]\n\td = deeper\n');
  write('more/any-case', '[a]\n\te = any case\n');
  write('more/private', '[a]\n\tf = private\n');

  const env = { HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const outcome = await readUserConfig(env, gitDir);
  const ours = outcome.kind === 'ok' ? outcome.settings.map(({ name, value }) => `${name}\n${value}`) : outcome;
  const listed = execFileSync('git', ['--git-dir', gitDir, 'config', '--list', '--includes', '-z', '--show-scope'], {
    env: { PATH: process.env['PATH'], ...env },
  }).toString();
  const fields = listed.split('\0');
  const byGit = fields.flatMap((field, index) => (field === 'global' ? [fields[index + 1]] : []));
  expect(byGit).toContain('a.d\ndeeper');
  expect(ours).toEqual(byGit);
});

it('names the file and line that cannot be read', async () => {
  write('bad/.gitconfig', '[user]\n\tname = "open\n');
  expect(await readUserConfig({ HOME: join(home, 'bad'), GIT_CONFIG_NOSYSTEM: '1' }, '/nowhere/.git')).toMatchObject({
    kind: 'invalid',
    file: join(home, 'bad/.gitconfig'),
  });
});
