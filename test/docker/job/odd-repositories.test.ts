import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodies } from '../../support/job/event-bodies.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome, RunResult } from '../../support/job/fluffy-home.ts';
import { makeJobProject, ORDINARY_UID, PARSE_CONFIG_FILES } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { stateDrivenModel } from '../../support/job/state-driven-model.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';
import type { WireServer } from '../../support/wire/wire-server.ts';

let model: WireServer;
let home: FluffyHome;
const made: JobProject[] = [];

beforeAll(async () => {
  model = await startAnthropicServer(stateDrivenModel);
  home = makeFluffyHome({ FLUFFY_ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-test' });
});
afterAll(async () => {
  await home.remove(made.map(({ root }) => root));
  await model.close();
  for (const project of made) project.remove();
});

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const COMMITTED = ['src/parse-config.js', 'test/bad-config.test.js'];

function projectWith(make: (project: JobProject) => void): JobProject {
  const project = makeJobProject(PARSE_CONFIG_FILES, 'odd');
  made.push(project);
  make(project);
  own(project);
  return project;
}

/** By its bytes: a name need not be text. */
function put({ root }: JobProject, name: string | Buffer, content: string | Buffer): void {
  const path = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name)]);
  if (typeof name === 'string') mkdirSync(dirname(join(root, name)), { recursive: true });
  writeFileSync(path, content);
}

function own({ root }: JobProject): void {
  execFileSync('chown', ['-R', `${ORDINARY_UID}:${ORDINARY_UID}`, dirname(root)]);
}

/** As after a checkout of long ago: git goes by its record of a file, and does not compare its content. */
function commitAll(project: JobProject): void {
  execFileSync('sh', ['-c', 'find . -path ./.git -prune -o -type f -exec touch -d 2001-01-01 {} +'], {
    cwd: project.root,
  });
  project.git('add', '--all');
  project.git('commit', '--quiet', '--message', 'Go on');
}

/** Has git write these files again, by its attributes. */
function checkOut(project: JobProject, ...paths: string[]): void {
  for (const path of paths) rmSync(join(project.root, path));
  project.git('checkout', '--quiet', '--', ...paths);
}

function run(project: JobProject, ...options: string[]): Promise<RunResult> {
  return home.run(
    ['-p', 'Fail clearly', '--model', 'anthropic/claude-test', '--output-format', 'stream-json', ...options],
    {
      cwd: project.root,
    },
  );
}

/** Digests of all that is not git's own and not of the task. */
function ofTheUser({ root }: JobProject): string {
  const find =
    "find . -path ./.git -prune -o -type f ! -path './src/parse-config.js' ! -path './test/bad-config.test.js' -print0";
  return execFileSync('sh', ['-c', `${find} | sort -z | xargs -0 sha256sum -z | tr '\\0' '\\n'`], {
    cwd: root,
    encoding: 'latin1',
  });
}

it('commits where git converts line ends, encodings and $Id$, beside a filter that it does not run', async () => {
  const project = projectWith((each) => {
    each.git('config', 'filter.up.clean', 'tr a-z A-Z');
    each.git('config', 'filter.up.smudge', 'tr A-Z a-z');
    put(each, '.gitattributes', '*.js text eol=crlf ident\n*.txt working-tree-encoding=UTF-16\n*.up filter=up\n');
    put(each, 'notes.txt', Buffer.from('\ufeffHello\n', 'utf16le'));
    put(each, 'notes.up', 'hello\n');
    put(each, 'src/parse-config.js', `// $Id$\n${PARSE_CONFIG_FILES['src/parse-config.js'] ?? ''}`);
    commitAll(each);
    checkOut(each, 'src/parse-config.js', 'test/parse-config.test.js');
  });
  expect(readFileSync(join(project.root, 'src/parse-config.js'), 'utf8')).toMatch(/^\/\/ \$Id: [0-9a-f]{40} \$\r\n/);
  const before = ofTheUser(project);
  const result = await run(project);
  expect(bodies(result.events, 'review.requested').flatMap(({ reasons }) => reasons)).toEqual([]);
  expect(result.events.at(-1)).toMatchObject({ status: 'committed', files_changed: COMMITTED });
  expect(ofTheUser(project)).toBe(before);
  expect(project.git('status', '--porcelain')).toBe('');
});

it('refuses a change of a file that goes through a filter, and says why', async () => {
  const project = projectWith((each) => {
    each.git('config', 'filter.up.clean', 'cat');
    put(each, '.gitattributes', 'src/*.js filter=up\n');
    commitAll(each);
  });
  const before = ofTheUser(project);
  const result = await run(project, '--max-turns', '7');
  expect(result.code).not.toBe(0);
  expect(result.stdout).toContain('src/parse-config.js (filter=up) go through a git filter, which does not run here');
  expect(ofTheUser(project)).toBe(before);
  expect(project.git('status', '--porcelain')).toBe('');
});

it('commits beside a submodule with changes, and files of every name that were changed or are not tracked', async () => {
  const names = [
    'new\nline.txt',
    '-dash.txt',
    'trail ',
    'qu"ote\'s.txt',
    'emoji-👩‍👩‍👧.txt',
    `${'a'.repeat(251)}.txt`,
    'back\\slash',
    '$(touch x)',
    'tab\there',
    ':colon',
    '*star*',
    '日本語/ü.txt',
    'a/..b/c..',
  ];
  const bytes = latin1('latin-\xe4\xff.txt');
  const project = projectWith((each) => {
    const library = join(dirname(each.root), 'library');
    each.git('init', '--quiet', library);
    writeFileSync(join(library, 'x.txt'), 'x');
    each.git('-C', library, 'add', '.');
    each.git('-C', library, 'commit', '--quiet', '--message', 'X');
    each.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'vendor/lib');
    for (const name of [...names, bytes]) put(each, name, 'committed');
    commitAll(each);
    for (const name of [...names.slice(0, 3), bytes]) put(each, name, 'mine');
    put(each, 'not tracked \n"', 'mine');
    put(each, latin1('not-tracked-\xff.txt'), 'mine');
    put(each, 'vendor/lib/x.txt', 'mine');
  });
  const before = { files: ofTheUser(project), status: project.git('status', '--porcelain') };
  expect((await run(project)).code).toBe(4);
  const approved = await home.run(['review', '--approve', '--json'], { cwd: project.root });
  expect(JSON.parse(approved.stdout)).toMatchObject({ outcome: 'committed' });
  expect({ files: ofTheUser(project), status: project.git('status', '--porcelain') }).toEqual(before);
  expect(project.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n')).toEqual(COMMITTED);
  project.git('fsck', '--strict');
});
