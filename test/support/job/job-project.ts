import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Who an ordinary user's project belongs to; sandboxes run as them. */
export const ORDINARY_UID = 1000;

export interface JobProject {
  readonly root: string;
  /** Runs git in it as a person would, without touching the index on reads. */
  git(...args: string[]): string;
  remove(): void;
}

export const PARSE_CONFIG_FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "job", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/parse-config.js': 'export function parseConfig(text) {\n  return JSON.parse(text);\n}\n',
  'test/parse-config.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import { parseConfig } from '../src/parse-config.js';

test('reads JSON', () => assert.deepEqual(parseConfig('{"a":1}'), { a: 1 }));
`,
};

/** A repository with one commit on main, owned by an ordinary uid, in a directory whose name a shell would stumble over. */
export function makeJobProject(
  files: Readonly<Record<string, string>> = PARSE_CONFIG_FILES,
  name = 'pro ject',
): JobProject {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'fluffy-job-')));
  const root = join(base, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'safe.directory=*', ...args], {
      cwd: root,
      encoding: 'utf8',
      env: {
        PATH: process.env['PATH'],
        HOME: base,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_OPTIONAL_LOCKS: '0',
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.invalid',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.invalid',
      },
    });
  git('init', '--quiet', '--initial-branch=main');
  appendFileSync(join(root, '.git/config'), '[user]\n\tname = Ada\n\temail = ada@example.invalid\n');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
  giveAway(base);
  return { root, git, remove: () => rmSync(base, { recursive: true, force: true }) };
}

export function giveAway(root: string): void {
  if (process.getuid?.() !== 0) return;
  chownSync(root, ORDINARY_UID, ORDINARY_UID);
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) chownSync(join(entry.parentPath, entry.name), ORDINARY_UID, ORDINARY_UID);
  }
}
