import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { bodies } from '../../support/job/event-bodies.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { FluffyHome, RunResult } from '../../support/job/fluffy-home.ts';
import { makeJobProject, ORDINARY_UID, PARSE_CONFIG_FILES } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { NEW_SOURCE, NEW_TEST, RUN_TESTS } from '../../support/job/parse-config-turns.ts';
import { stateDrivenModel } from '../../support/job/state-driven-model.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';
import { calls } from '../../support/wire/script.ts';
import type { ScriptedReply, ScriptedRequest } from '../../support/wire/script.ts';
import type { WireServer } from '../../support/wire/wire-server.ts';

let model: WireServer;
let play = stateDrivenModel;
let home: FluffyHome;
const made: JobProject[] = [];

beforeAll(async () => {
  model = await startAnthropicServer((request) => play(request));
  home = makeFluffyHome({ FLUFFY_ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-test' });
});
beforeEach(() => {
  play = stateDrivenModel;
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

/** A model whose source has CRLF, as an editor of such a checkout would write it, and whose test is edited with LF afterwards. */
const CRLF_SOURCE = calls({
  tool: 'fs.write',
  input: { path: 'src/parse-config.js', content: NEW_SOURCE.replaceAll('\n', '\r\n') },
});
const CRLF_TEST = calls({
  tool: 'fs.write',
  input: { path: 'test/bad-config.test.js', content: NEW_TEST.replaceAll('\n', '\r\n') },
});
const EDITED_TEST = calls({
  tool: 'fs.edit',
  input: {
    path: 'test/bad-config.test.js',
    old_string: "test('says what is wrong',",
    new_string: "// Of bad text.\ntest('says what is wrong',",
  },
});

function crlfModel(request: ScriptedRequest): ScriptedReply {
  const last = request.results.map((result) => result.content).join('\n');
  if (request.state === 'test_writing') {
    if (/Modified test/.test(last)) return RUN_TESTS;
    return /Wrote test/.test(last) ? EDITED_TEST : CRLF_TEST;
  }
  if (request.state === 'code_writing' && !/Modified src|unchanged/.test(last)) return CRLF_SOURCE;
  return stateDrivenModel(request);
}

it.each([
  { where: 'core.autocrlf', attributes: '', autocrlf: 'true', stored: '\n' },
  { where: 'eol=crlf', attributes: '* text eol=crlf\n', autocrlf: 'false', stored: '\n' },
  { where: 'no conversion', attributes: '', autocrlf: 'false', stored: '\r\n' },
])('commits what git add would store of files with CRLF: $where', async ({ attributes, autocrlf, stored }) => {
  const project = projectWith((each) => {
    each.git('config', 'core.autocrlf', autocrlf);
    if (attributes !== '') put(each, '.gitattributes', attributes);
    if (stored === '\r\n') {
      const source = PARSE_CONFIG_FILES['src/parse-config.js'] ?? '';
      put(each, 'src/parse-config.js', source.replaceAll('\n', '\r\n'));
    }
    if (attributes !== '' || stored === '\r\n') commitAll(each);
    checkOut(each, 'src/parse-config.js', 'test/parse-config.test.js');
  });
  expect(readFileSync(join(project.root, 'src/parse-config.js'), 'utf8')).toContain('\r\n');
  play = crlfModel;
  const result = await run(project);
  expect(bodies(result.events, 'review.requested').flatMap(({ reasons }) => reasons)).toEqual([]);
  expect(result.events.at(-1)).toMatchObject({ status: 'committed', files_changed: COMMITTED });
  expect(project.git('status', '--porcelain')).toBe('');
  const edited = NEW_TEST.replace("test('says", "// Of bad text.\ntest('says");
  for (const [path, text] of [
    ['src/parse-config.js', NEW_SOURCE],
    ['test/bad-config.test.js', edited],
  ] as const) {
    expect(readFileSync(join(project.root, path), 'utf8')).toBe(text.replaceAll('\n', '\r\n'));
    expect(project.git('show', `HEAD:${path}`)).toBe(text.replaceAll('\n', stored));
  }
  const verified = await home.run(['audit', 'verify', '--range', 'HEAD~1..HEAD', '--json'], { cwd: project.root });
  expect(JSON.parse(verified.stdout)).toMatchObject({ counts: { verified: 1 } });
  const source = () => readFileSync(join(project.root, 'src/parse-config.js'), 'utf8');
  for (const [command, text] of [
    ['undo', PARSE_CONFIG_FILES['src/parse-config.js'] ?? ''],
    ['redo', NEW_SOURCE],
  ] as const) {
    expect((await home.run(['session', command], { cwd: project.root })).code).toBe(0);
    expect(source()).toBe(text.replaceAll('\n', '\r\n'));
    expect(project.git('status', '--porcelain')).toBe('');
  }
  // Git stores the same when it reads everything again.
  project.git('read-tree', 'HEAD');
  project.git('add', '--all');
  expect(project.git('status', '--porcelain')).toBe('');
});

it('refuses a write of a file that goes through a filter, and ends with that reason', async () => {
  const project = projectWith((each) => {
    each.git('config', 'filter.up.clean', 'cat');
    put(each, '.gitattributes', 'src/*.js filter=up\n');
    commitAll(each);
  });
  const before = ofTheUser(project);
  const result = await run(project);
  expect(result.code).not.toBe(0);
  expect(result.events.at(-1)).toMatchObject({
    status: 'failed',
    summary: expect.stringContaining('src/parse-config.js goes through the git filter "up"') as string,
  });
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
