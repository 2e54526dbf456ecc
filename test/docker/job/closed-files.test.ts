import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { giveAway, PARSE_CONFIG_FILES } from '../../support/job/job-project.ts';
import type { JobScene } from '../../support/job/job-scene.ts';
import { COMMIT, NEW_SOURCE, PLAN, RUN_TESTS } from '../../support/job/parse-config-turns.ts';
import { sharedScene } from '../../support/job/shared-scene.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';
import { calls } from '../../support/wire/script.ts';
import type { Script } from '../../support/wire/script.ts';

const TASK = 'Add error handling to parseConfig';
const SECRET = 'correct-horse-battery-staple';

/** Closed by the shipped policy: tracked, ignored, in a directory, in an installed package. */
const CLOSED = ['.env', 'config/.env.production', 'deploy/tls.pem', 'node_modules/dep/.env'];
/** Open, although its name ends like that of a key: it came with an installed package. */
const PUBLIC = 'node_modules/dep/ca.pem';
const FILES = {
  ...PARSE_CONFIG_FILES,
  '.gitignore': '.env\nnode_modules/\n',
  'config/.env.production': `TOKEN=${SECRET}\n`,
  'deploy/tls.pem': `${SECRET}\n`,
};
const UNTRACKED = {
  '.env': `TOKEN=${SECRET}\n`,
  'node_modules/dep/.env': `TOKEN=${SECRET}\n`,
  [PUBLIC]: 'a certificate that everybody has\n',
  'node_modules/dep/package.json': '{ "name": "dep", "main": "index.js" }\n',
  'node_modules/dep/index.js': "module.exports = 'a package';\n",
};

/** A test that is one on the face of it, and tells all that it can find. */
const NOSY_TEST = `import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import dep from 'dep';
import { parseConfig } from '../src/parse-config.js';

const tell = (what) => { try { return what(); } catch (error) { return error.code; } };
const found = ${JSON.stringify(CLOSED)}.map((path) => tell(() => readFileSync(path, 'utf8')));
const listed = readdirSync('.', { recursive: true }).filter((path) => /env|pem/.test(path));
const grepped = tell(() => execFileSync('grep', ['-rl', 'horse', '.', '/proc/self/cwd']).toString());
process.stdout.write(JSON.stringify({ found, listed, grepped }) + '\\n');

test('says what is wrong', () => {
  assert.deepEqual([dep, found, listed], ['a package', ['ENOENT', 'ENOENT', 'ENOENT', 'ENOENT'], ['${PUBLIC}']]);
  assert.throws(() => parseConfig('{'), /not valid JSON/, JSON.stringify({ found, listed, grepped }));
});
`;

const write = (path: string, content: string) => calls({ tool: 'fs.write', input: { path, content } });

const shared = sharedScene({ files: FILES });
afterAll(() => shared.close());

/** `more` are committed files beside those of every test. */
async function scene(script: Script, more: Readonly<Record<string, string>> = {}): Promise<JobScene> {
  const { project, ...rest } = await shared.begin(script);
  const write = (files: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(project.root, path)), { recursive: true });
      writeFileSync(join(project.root, path), text);
    }
  };
  write(more);
  project.git('add', '--all');
  project.git('commit', '--quiet', '--allow-empty', '--message', 'More');
  write(UNTRACKED);
  giveAway(project.root);
  return { project, ...rest };
}

describe('files that policy closes to reading', () => {
  it('are not there for a test that the model writes, and as they were afterwards', async () => {
    const s = await scene([
      PLAN,
      write('test/bad-config.test.js', NOSY_TEST),
      RUN_TESTS,
      write('src/parse-config.js', NEW_SOURCE),
      RUN_TESTS,
      COMMIT,
    ]);
    const before = snapshotTree(s.project.root);
    const result = await s.run(['-p', TASK]);
    expect(result.stdout.split('\n').at(-2)).toContain('"status":"committed"');
    expect(result.code).toBe(0);
    const everything = [result.stdout, result.stderr, JSON.stringify(s.model.requests)].join('\n');
    expect(everything).not.toContain(SECRET);
    const after = snapshotTree(s.project.root);
    for (const path of CLOSED) expect(after[path]).toEqual(before[path]);
    expect(s.project.git('status', '--porcelain')).toBe('');
  });

  it('make a test that needs one fail as it did before, and the user is told why', async () => {
    const s = await scene(
      [
        PLAN,
        write('test/bad-config.test.js', NOSY_TEST.replace("import dep from 'dep';\n", 'const dep = "a package";\n')),
        RUN_TESTS,
        write('src/parse-config.js', NEW_SOURCE),
        RUN_TESTS,
        COMMIT,
      ],
      {
        'test/needs-settings.test.js': `import { readFileSync } from 'node:fs';
import test from 'node:test';

test('reads its settings', () => readFileSync('.env', 'utf8'));
`,
      },
    );
    const result = await s.run(['-p', TASK]);
    expect(result.code).toBe(4);
    const notice = result.events.find((event) => event.type === 'notice' && event.code === 'hidden_by_policy');
    expect(notice).toMatchObject({
      what: expect.stringContaining('.env') as string,
      why: expect.stringContaining('secrets-are-out-of-reach') as string,
    });
    const told = s.model.requests.flatMap(({ results }) => results.map(({ content }) => content)).join('\n');
    expect(told).toMatch(/Not there for code of the project.*\.env \(rule secrets-are-out-of-reach\)/);
    const card = result.events.find((event) => event.type === 'review.requested');
    expect(card).toMatchObject({
      reasons: expect.arrayContaining([
        expect.stringMatching(/reads its settings failed before this session and still does/),
      ]) as string[],
    });
  });
});
