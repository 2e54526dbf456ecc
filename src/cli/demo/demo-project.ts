import { chown, mkdir, mkdtemp, readdir, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { simpleGit } from 'simple-git';

const FILES: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "fluffy-demo",
  "version": "1.0.0",
  "type": "module",
  "scripts": { "test": "node --test" }
}
`,
  'src/parse-config.js': `/** Reads a configuration from JSON text. */
export function parseConfig(text) {
  return JSON.parse(text);
}
`,
  'test/parse-config.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import { parseConfig } from '../src/parse-config.js';

test('reads a configuration', () => {
  assert.deepEqual(parseConfig('{"port": 8080}'), { port: 8080 });
});
`,
};

/** A project of root is refused, so a demo that root starts gets an ordinary owner. */
const ORDINARY_UID = 1000;

export interface DemoProject {
  readonly root: string;
}

/** A small repository with one commit, in a directory of its own. `more`: additional files. */
export async function makeDemoProject(more: Readonly<Record<string, string>> = {}): Promise<DemoProject> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'fluffy-demo-')));
  for (const [name, content] of Object.entries({ ...FILES, ...more })) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), content);
  }
  const git = simpleGit(root);
  await git.init(['--initial-branch=main']);
  await git.addConfig('user.name', 'Fluffy Demo');
  await git.addConfig('user.email', 'demo@example.invalid');
  await git.add('.');
  await git.commit('Read a configuration from JSON');
  if (process.getuid?.() === 0) await giveAway(root, ORDINARY_UID);
  return { root };
}

async function giveAway(root: string, uid: number): Promise<void> {
  await chown(root, uid, uid);
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    await chown(join(entry.parentPath, entry.name), uid, uid);
  }
}
