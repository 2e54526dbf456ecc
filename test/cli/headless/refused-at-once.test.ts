import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startCli } from '../../support/cli/cli-scene.ts';
import type { CliOptions, CliResult } from '../../support/cli/cli-scene.ts';
import { ORDINARY_UID, PARSE_CONFIG_FILES } from '../../support/job/job-project.ts';
import { makeRepository } from '../../support/real-git.ts';
import type { RealRepository } from '../../support/real-git.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';

/** Whatever fails below fails before a kernel is connected. */
const HOME = mkdtempSync(join(tmpdir(), 'fluffy-refused-'));
const ENV = { HOME, PATH: process.env['PATH'] ?? '', ANTHROPIC_API_KEY: 'sk-ant-test' };
afterAll(() => rmSync(HOME, { recursive: true, force: true }));

function fluffy(
  args: readonly string[],
  project: string,
  { env = {}, stdin = '' }: CliOptions = {},
): Promise<CliResult> {
  const connect = () => Promise.reject(new Error('it went on to the kernel'));
  const where = args.includes('--project') ? [] : ['--project', project];
  return startCli([...args, ...where], { env: { ...ENV, ...env }, stdin }, connect).result;
}
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
  env: { FLUFFY_CONFIG: 'user-config.yaml' },
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
    name: 'a linked worktree that its repository does not know',
    make: (made) => {
      made.git('worktree', 'add', '-q', `${made.root}-linked`);
      rmSync(join(made.root, '.git/worktrees'), { recursive: true });
      return `${made.root}-linked`;
    },
    says: /claims to be a linked worktree/,
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
      for (const path of ['package.json', 'src', 'test']) rmSync(join(made.root, path), { recursive: true });
      made.write('main.c', 'int main(void) { return 0; }\n');
      return undefined;
    },
    says: /No way to run the tests/,
  },
];

const SETTINGS: readonly Case[] = [
  { name: 'an empty task', args: ['-p', '   '], says: /there is no task/ },
  { name: 'no task at all', args: ['-p'], says: /there is no task/ },
  { name: 'a task of 9 MiB', args: ['-p'], stdin: 'x'.repeat(9 * 1024 * 1024), says: /larger than 8 MiB/ },
  { name: 'a missing key', env: { ANTHROPIC_API_KEY: '' }, says: /There is no key for anthropic/ },
  { name: 'an unknown provider', args: [...TASK, '--model', 'nobody/x'], says: /nobody/ },
  { name: 'a model without a provider', args: [...TASK, '--model', 'claude'], says: /provider\/model/ },
  {
    name: 'a replay that is not there',
    args: [...TASK, '--model', 'replay/gone.jsonl'],
    says: /the file does not exist/,
  },
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

const made: RealRepository[] = [];
afterEach(() => {
  for (const each of made.splice(0)) {
    chmodSync(each.root, 0o755);
    each.remove();
  }
});

function repository(): RealRepository {
  const fresh = makeRepository({ name: 'project' });
  made.push(fresh);
  for (const [path, content] of Object.entries(PARSE_CONFIG_FILES)) fresh.write(path, content);
  fresh.commit('Begin');
  return fresh;
}

/** The user's configuration lies beside the project. */
function inDirectory(
  env: Readonly<Record<string, string>>,
  { root }: RealRepository,
): Readonly<Record<string, string>> {
  const { FLUFFY_CONFIG: file, ...rest } = env;
  return file === undefined ? env : { ...rest, FLUFFY_CONFIG: join(dirname(root), file) };
}

/** One line on stdout, whatever the format: the end, with no session; the three sentences on stderr; the exit code of both. */
function expectRefused(result: CliResult, code: number, says: RegExp): void {
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
    const result = await fluffy([...task, '--output-format', format], start, { env: inDirectory(env, project), stdin });
    expectRefused(result, 2, says);
    expect(snapshotTree(dirname(project.root))).toEqual(before);
  });
});

describe('refused in words alone', () => {
  it('prints nothing on stdout in the text format', async () => {
    const result = await fluffy(['-p', 'x'], '/');
    expect(result.stdout).toBe('');
    expect(result.stderr).toMatch(/^ERROR: .+\nReason: .+\nFix: .+\n$/s);
    expect(result.code).toBe(2);
  });

  it('refuses what belongs to root, and names both ways on', async () => {
    const project = repository();
    project.chownAll(0, 0);
    const result = await fluffy([...TASK, ...MODEL, '--output-format', 'json'], project.root);
    expectRefused(result, 2, /belongs to root[\s\S]*chown[\s\S]*--allow-root/);
  });

  it('warns of a variable that it does not know, and goes on', async () => {
    const project = repository();
    project.chownAll(ORDINARY_UID, ORDINARY_UID);
    const result = await fluffy(['session', 'list'], project.root, { env: { FLUFFY_MODLE: 'x' } });
    expect(result.stderr).toContain('FLUFFY_MODLE');
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 0, stdout: 'No sessions yet.\n' });
  });
});
