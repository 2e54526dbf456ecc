import { chmodSync, chownSync, mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { FluffyEvent } from '../../../src/contracts/events.ts';
import { makeFluffyHome } from '../../support/job/fluffy-home.ts';
import type { RunResult } from '../../support/job/fluffy-home.ts';
import { ORDINARY_UID, PARSE_CONFIG_FILES, giveAway, makeJobProject } from '../../support/job/job-project.ts';
import type { JobProject } from '../../support/job/job-project.ts';
import { COMMIT, PLAN, RUN_TESTS, STRAIGHT, WRITE_SOURCE, WRITE_TEST } from '../../support/job/parse-config-turns.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';
import { startAnthropicServer } from '../../support/wire/anthropic-server.ts';
import { calls, turn } from '../../support/wire/script.ts';
import type { Script } from '../../support/wire/script.ts';

/** Nothing listens there: whatever fails below fails before a container or a request. */
const ENV = { ANTHROPIC_API_KEY: 'sk-ant-test', FLUFFY_ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
const MODEL = ['--model', 'anthropic/claude-test'];
const TASK = ['-p', 'Add error handling'];

interface Case {
  readonly name: string;
  /** Changes the repository; returns the directory to start in when it is another one. */
  readonly make?: (made: RealRepository) => string | undefined;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** In what a person reads. */
  readonly says: RegExp;
}

const configured = (made: RealRepository, text: string): undefined => {
  made.write('.fluffy/config.yaml', text);
  return undefined;
};
const userConfig = (made: RealRepository, text: string): string => {
  const file = join(dirname(made.root), 'user-config.yaml');
  writeFileSync(file, text);
  return file;
};
/** Where `userConfig` writes, by a fixed name beside the project. */
const inUserConfig = (text: string) => ({
  make: (made: RealRepository) => void userConfig(made, text) as undefined,
  env: { FLUFFY_CONFIG: '../user-config.yaml' },
});
const conflicted = (made: RealRepository): undefined => {
  made.git('switch', '-q', '-c', 'other');
  made.write('notes.md', 'theirs\n');
  made.commit('theirs');
  made.git('switch', '-q', 'main');
  made.write('notes.md', 'ours\n');
  made.commit('ours');
  expect(() => made.git('merge', 'other')).toThrow();
  return undefined;
};

const REPOSITORIES: readonly Case[] = [
  { name: 'no repository at all', make: (made) => dirname(made.root), says: /not in a git repository/ },
  {
    name: 'a bare repository',
    make: (made) => {
      made.git('clone', '-q', '--bare', made.root, `${made.root}.git`);
      return `${made.root}.git`;
    },
    says: /is a bare repository/,
  },
  {
    name: 'no commit yet',
    make: (made) => void made.git('switch', '-q', '--orphan', 'empty') as undefined,
    says: /has no commit yet/,
  },
  {
    name: 'a detached HEAD',
    make: (made) => void made.git('switch', '-q', '--detach') as undefined,
    says: /HEAD is not on a branch/,
  },
  { name: 'a merge in progress', make: conflicted, says: /A merge is in progress/ },
  {
    name: 'a linked worktree',
    make: (made) => {
      made.git('worktree', 'add', '-q', `${made.root}-linked`);
      return `${made.root}-linked`;
    },
    says: /is a linked worktree/,
  },
  {
    name: 'a submodule',
    make: (made) => {
      made.git('clone', '-q', made.root, `${made.root}-other`);
      made.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', `${made.root}-other`, 'sub');
      return join(made.root, 'sub');
    },
    says: /is a submodule/,
  },
  {
    name: 'no git identity',
    make: (made) => {
      made.git('config', '--unset', 'user.name');
      made.git('config', '--unset', 'user.email');
      return undefined;
    },
    says: /git does not know who you are/,
  },
  {
    name: 'a project that its owner may not write to',
    make: (made) => void chmodSync(made.root, 0o555) as undefined,
    says: /cannot be written/,
  },
  {
    name: 'a directory that is not there',
    args: ['--project', '/nonexistent/place'],
    says: /not a directory/,
  },
  {
    name: 'no sign of how the tests run',
    make: (made) => {
      made.write('package.json', '{}\n');
      rmSync(join(made.root, 'test'), { recursive: true });
      return undefined;
    },
    says: /No way to run the tests/,
  },
];

const SETTINGS: readonly Case[] = [
  { name: 'an empty task', args: ['-p', '   '], says: /there is no task/ },
  { name: 'no task at all', args: ['-p'], says: /there is no task/ },
  { name: 'a task of 1 MB', args: ['-p'], stdin: 'x'.repeat(1_000_000), says: /1000000 characters/ },
  { name: 'a missing key', env: { ANTHROPIC_API_KEY: '' }, says: /There is no key for anthropic/ },
  { name: 'an unknown provider', args: [...TASK, '--model', 'nobody/x'], says: /nobody/ },
  { name: 'a model without a provider', args: [...TASK, '--model', 'claude'], says: /provider\/model/ },
  { name: 'a replay that is not there', args: [...TASK, '--model', 'replay/gone.jsonl'], says: /no such file/ },
  { name: 'a limit in money without a price', args: [...TASK, ...MODEL, '--max-cost', '1'], says: /needs a price/ },
  { name: 'a mode nobody knows', args: [...TASK, ...MODEL, '--mode', 'yolo'], says: /mode/ },
  { name: 'a mode nobody knows, from the environment', env: { FLUFFY_MODE: 'yolo' }, says: /FLUFFY_MODE/ },
  { name: 'a flag nobody knows', args: [...TASK, ...MODEL, '--dangerously'], says: /dangerously/ },
  {
    name: 'a base URL beside the allow-list',
    args: [...TASK, ...MODEL, '--base-url', 'https://evil.example'],
    says: /evil/,
  },
  {
    name: "the user's configuration with an unknown key",
    ...inUserConfig('model: a/b\nmodle: c/d\n'),
    says: /user-config\.yaml:2:1/,
  },
  {
    name: "the user's configuration that is no YAML",
    ...inUserConfig('model: "a\n'),
    says: /user-config\.yaml:\d+:\d+/,
  },
  { name: "the user's configuration, empty", ...inUserConfig(''), says: /it is empty/ },
  {
    name: "the project's configuration with a wrong value",
    make: (made) => configured(made, 'test:\n  runner: make\n'),
    says: /\.fluffy\/config\.yaml:2:\d+/,
  },
  ...(['providers: {}', 'mode: debug', 'sandbox: { memory: 64GiB }', 'network_groups: {}', 'prices: {}'] as const).map(
    (line) => ({
      name: `a project that sets ${line}`,
      make: (made: RealRepository) => configured(made, `model: anthropic/claude-test\n${line}\n`),
      says: /\.fluffy\/config\.yaml:2:1[\s\S]*a project's file cannot set this/,
    }),
  ),
];

const home = makeFluffyHome(ENV);
const made: RealRepository[] = [];
afterEach(() => {
  for (const each of made.splice(0)) {
    chmodSync(each.root, 0o755);
    each.remove();
  }
});
afterAll(() => home.remove([]));

function repository(): RealRepository {
  const fresh = makeRepository({ name: 'project' });
  made.push(fresh);
  for (const [path, content] of Object.entries(PARSE_CONFIG_FILES)) fresh.write(path, content);
  fresh.commit('Begin');
  return fresh;
}

/** One line on stdout, whatever the format: the end, with no session; the three sentences on stderr; the exit code of both. */
function expectRefused(result: RunResult, code: number, says: RegExp): void {
  expect(result.stderr).toMatch(/^ERROR: .+\nReason: .+\nFix: .+\n$/s);
  expect(result.stderr).toMatch(says);
  expect(result.code).toBe(code);
  expect(result.stdout.split('\n')).toHaveLength(2);
  expect(result.events).toMatchObject([
    { type: 'session.finished', session_id: null, seq: 1, exit_code: code, status: 'failed' },
  ]);
}

describe.each(['json', 'stream-json'])('refused before anything begins (%s)', (format) => {
  const cases = [...REPOSITORIES, ...SETTINGS].filter((_, index) => (index % 2 === 0) === (format === 'json'));
  it.each(cases)('$name', async ({ make, args = [], env = {}, stdin = '', says }) => {
    const project = repository();
    const start = make?.(project) ?? project.root;
    if (project.root !== start || make === undefined || !says.source.includes('cannot be written'))
      project.chownAll(ORDINARY_UID, ORDINARY_UID);
    else chownSync(project.root, ORDINARY_UID, ORDINARY_UID);
    const before = snapshotTree(dirname(project.root));
    const task = args.includes('-p') ? args : [...TASK, ...MODEL, ...args];
    const result = await home.run([...task, '--output-format', format], { cwd: start, env, stdin });
    expectRefused(result, 2, says);
    expect(snapshotTree(dirname(project.root))).toEqual(before);
  });
});

describe('refused in words alone', () => {
  it('prints nothing on stdout in the text format', async () => {
    const result = await home.run(['-p', 'x'], { cwd: '/' });
    expect(result.stdout).toBe('');
    expect(result.stderr).toMatch(/^ERROR: .+\nReason: .+\nFix: .+\n$/s);
    expect(result.code).toBe(2);
  });

  it('refuses what belongs to root, and names both ways on', async () => {
    const project = repository();
    project.chownAll(0, 0);
    const result = await home.run([...TASK, ...MODEL, '--output-format', 'json'], { cwd: project.root });
    expectRefused(result, 2, /belongs to root[\s\S]*chown[\s\S]*--allow-root/);
  });

  it('warns of a variable that it does not know, and goes on', async () => {
    const project = repository();
    project.chownAll(ORDINARY_UID, ORDINARY_UID);
    const result = await home.run(['session', 'list'], { cwd: project.root, env: { FLUFFY_MODLE: 'x' } });
    expect(result.stderr).toContain('FLUFFY_MODLE');
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: 'No sessions yet.\n' });
  });
});

interface Job {
  readonly project: JobProject;
  run(...args: string[]): Promise<RunResult>;
}

let close: (() => Promise<void>) | null = null;
afterEach(async () => {
  await close?.();
  close = null;
});

async function job(script: Script, project: JobProject, cwd = ''): Promise<Job> {
  const model = await startAnthropicServer(script);
  const own = makeFluffyHome({ FLUFFY_ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-test' });
  close = async () => {
    await own.remove([project.root]);
    await model.close();
    project.remove();
  };
  return {
    project,
    run: (...args) => own.run([...MODEL, '--output-format', 'stream-json', ...args], { cwd: join(project.root, cwd) }),
  };
}

function errorsOf(events: readonly FluffyEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'tool.finished' && !event.ok ? [event.error?.code ?? ''] : []));
}

describe('odd, but good enough for a whole run', () => {
  it('a path with blanks, commas, quotes and letters of other scripts', async () => {
    const { project, run } = await job(STRAIGHT, makeJobProject(PARSE_CONFIG_FILES, 'prö ject, "日本" & 50%'));
    const result = await run(...TASK);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(project.git('rev-list', '--count', 'HEAD').trim()).toBe('2');
    expect(project.git('status', '--porcelain')).toBe('');
  });

  it('a sub-folder of a monorepo, whose own tests are the ones that count', async () => {
    const inPackage = Object.fromEntries(
      Object.entries(PARSE_CONFIG_FILES).map(([path, text]) => [`packages/app/${path}`, text]),
    );
    const files = {
      ...inPackage,
      'packages/other/package.json': '{ "scripts": { "test": "node --test" } }\n',
      'packages/other/other.test.js': "throw new Error('not asked for');\n",
      'README.md': 'two packages\n',
    };
    const moved = (each: typeof WRITE_TEST) =>
      calls(
        ...(each.calls ?? []).map(({ tool, input }) => {
          const { path, ...rest } = input as { path: string };
          return { tool, input: { ...rest, path: `packages/app/${path}` } };
        }),
      );
    const script = [PLAN, moved(WRITE_TEST), RUN_TESTS, moved(WRITE_SOURCE), RUN_TESTS, COMMIT];
    const { project, run } = await job(script, makeJobProject(files), 'packages/app');
    const result = await run(...TASK);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(project.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n').sort()).toEqual([
      'packages/app/src/parse-config.js',
      'packages/app/test/bad-config.test.js',
    ]);
  });

  it('a project of root, with leave to work on it', async () => {
    const project = makeJobProject();
    for (const name of ['', ...Object.keys(snapshotTree(project.root))]) chownSync(join(project.root, name), 0, 0);
    const { run } = await job(STRAIGHT, project);
    const result = await run('--allow-root', ...TASK);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(project.git('rev-list', '--count', 'HEAD').trim()).toBe('2');
  });

  it('a task that begins with a dash, after --', async () => {
    const { project, run } = await job([turn({ text: 'Nothing to do.' })], makeJobProject());
    const before = snapshotTree(project.root);
    const result = await run('-p', '--', '--help me with -p');
    expect(result.events.find((event) => event.type === 'message.user')).toMatchObject({ text: '--help me with -p' });
    expect(result.code).toBe(0);
    expect(snapshotTree(project.root)).toEqual(before);
  });

  it('binary, huge and odd files that the model reads', async () => {
    const project = makeJobProject();
    writeFileSync(join(project.root, 'image.bin'), Buffer.from([0, 1, 2, 255, 254, 0, 137, 80]));
    writeFileSync(join(project.root, 'huge.log'), '');
    truncateSync(join(project.root, 'huge.log'), 3 * 1024 ** 3);
    writeFileSync(join(project.root, 'long-line.json'), `"${'x'.repeat(9_000_000)}"`);
    mkdirSync(join(project.root, 'empty-directory'));
    giveAway(project.root);
    const read = (path: string) => ({ tool: 'fs.read', input: { path } });
    const script = [
      calls(read('image.bin'), read('huge.log'), read('long-line.json'), read('empty-directory')),
      calls({ tool: 'search.grep', input: { pattern: 'parseConfig' } }),
      turn({ text: 'Seen.' }),
    ];
    const { run } = await job(script, project);
    const result = await run(...TASK);
    expect(result.code).toBe(0);
    const codes = errorsOf(result.events);
    expect(codes.length).toBeGreaterThan(0);
    expect(codes.filter((code) => !['too_large', 'invalid_input', 'not_found', 'path_refused'].includes(code))).toEqual(
      [],
    );
    const grep = result.events.find((event) => event.type === 'tool.finished' && event.tool === 'search.grep');
    expect(grep).toMatchObject({ ok: true });
  });

  it('a file that Git LFS keeps, edited: said, and nothing committed', async () => {
    const files = { ...PARSE_CONFIG_FILES, '.gitattributes': 'src/*.js filter=lfs diff=lfs merge=lfs -text\n' };
    const giveUp = calls({ tool: 'task.give_up', input: { reason: 'LFS' } });
    const { project, run } = await job([...STRAIGHT, giveUp, giveUp, giveUp], makeJobProject(files));
    const before = snapshotTree(project.root);
    const result = await run(...TASK);
    expect(result.code).not.toBe(0);
    expect(result.stdout).toMatch(/LFS/);
    expect(result.events.at(-1)).toMatchObject({ type: 'session.finished', status: 'failed' });
    expect(snapshotTree(project.root)).toEqual(before);
  });
});
