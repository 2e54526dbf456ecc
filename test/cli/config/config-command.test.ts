import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { initialConfig } from '../../../src/cli/config/init/initial-config.ts';
import { capturedOutput } from '../../support/cli/captured-output.ts';
import { cliServices, textInput } from '../../support/cli/cli-services.ts';
import { readLine } from '../../support/cli/read-line.ts';

const KEY = 'sk-ant-a-key-nobody-may-see-0123456789';
let base = '';
let project = '';
let userFile = '';

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'fluffy-config-'));
  project = join(base, 'project');
  userFile = join(base, 'home/.config/fluffy/config.yaml');
  mkdirSync(join(project, 'test'), { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "scripts": { "test": "node --test" } }\n');
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: project,
      env: { PATH: process.env['PATH'], HOME: base, GIT_CONFIG_NOSYSTEM: '1' },
    });
  git('init', '-q');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.invalid');
  git('add', '.');
  git('commit', '-qm', 'Begin');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

interface Result {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function config(
  args: readonly string[],
  stdin = '',
  env: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const line = await readLine('config', ...args, '--project', project, '--allow-root');
  const output = capturedOutput();
  const whole = { HOME: join(base, 'home'), GIT_CONFIG_NOSYSTEM: '1', ...env };
  const code = await line.run(cliServices({ env: whole, output, stdin: textInput(stdin) }));
  return { code, ...output.text };
}

function writeUserFile(text: string): void {
  mkdirSync(join(base, 'home/.config/fluffy'), { recursive: true });
  writeFileSync(userFile, text);
}

describe('config init', () => {
  it('writes down how the tests run, once', async () => {
    expect((await config(['init', '--no-run'])).stdout).toBe(
      `Wrote ${join(project, '.fluffy/config.yaml')}: tests run with node-test, since the script "test" in package.json starts it.\n`,
    );
    const written = readFileSync(join(project, '.fluffy/config.yaml'), 'utf8');
    expect(written).toContain('runner: node-test');
    await expect(config(['init', '--no-run'])).rejects.toMatchObject({
      exitCode: 2,
      why: expect.stringContaining('already') as unknown,
    });
    expect(readFileSync(join(project, '.fluffy/config.yaml'), 'utf8')).toBe(written);
    expect(JSON.parse((await config(['get', 'test', '--json'])).stdout)).toMatchObject({ runner: 'node-test' });
  });
});

describe('config init in a repository of several packages', () => {
  it('names each with its reason, and writes none down', async () => {
    mkdirSync(join(project, 'api'));
    writeFileSync(join(project, 'api/go.mod'), 'module api\n');
    const { stdout } = await config(['init', '--no-run']);
    expect(stdout).toContain(
      'each path belongs to the nearest:\n  the root: node-test, since the script "test" in package.json starts it\n  api: go-test, since there is go.mod\n',
    );
    expect(parse(readFileSync(join(project, '.fluffy/config.yaml'), 'utf8'))).toEqual({});
  });
});

describe('config init without a runner that can be judged', () => {
  it.each<[string, string, string, RegExp]>([
    [
      'none',
      'main.c',
      '',
      /none was found\.\nLooked for Node's own .*, vitest, .*: .*JUnit by Gradle, .*\n.* such as make test, .*\n[^]*command: \[make, test\]\n.* --mode explore\n$/,
    ],
    [
      'another',
      'build.gradle',
      '',
      /JUnit by Gradle was found \(there is build\.gradle\), .* cannot be judged yet\.\nResults can be judged from node-test, .*\nSuch a command runs in an image of your own .* Gradle, a JDK .*\n(?:.*\n){4}        command: \[gradle, --offline, test\]\n        report: junit\n        report_file: build\/test-results\/test\/\*\.xml\n/,
    ],
    [
      'another and one',
      'package.json',
      '{ "scripts": { "test": "ava" }, "devDependencies": { "vitest": "1" } }',
      /AVA was found .*\n.*\n.*\n {2}test:\n {4}commands:\n {6}- project: .*\/project\"\n {8}command: \[npm, test\]\n.*\nAlso found: vitest, package\.json depends on it\.\n$/,
    ],
  ])('says what was found, why, and what to do: %s', async (_, name, text, report) => {
    rmSync(join(project, 'package.json'));
    writeFileSync(join(project, name), text);
    expect((await config(['init', '--no-run'])).stdout).toMatch(report);
    expect(await config(['get', 'test', '--json']).catch((error: unknown) => error)).toMatchObject({ exitCode: 2 });
  });

  it('prints the command for tests that run on build output', async () => {
    writeFileSync(join(project, 'package.json'), '{ "scripts": { "test": "tsc && node --test dist/" } }');
    writeFileSync(join(project, '.gitignore'), 'dist\n');
    const { stdout } = await config(['init']);
    expect(stdout).toMatch(/it runs built files \(dist\), which git ignores\.\n/);
    const printed = stdout.slice(stdout.indexOf('  test:\n'), stdout.indexOf('Or work without proof'));
    const command = ['sh', '-c', 'PATH=$PWD/node_modules/.bin:$PATH; tsc && node --test dist/'];
    expect(parse(printed)).toEqual({ test: { commands: [{ project, command }] } });
    expect(await config(['get', 'test', '--json']).catch((error: unknown) => error)).toMatchObject({ exitCode: 2 });
  });

  it('keeps a reason with a line break inside its comment', () => {
    const command = { runner: 'pytest', cwd: '', args: [] };
    const because = 'there is a\nmodel: b';
    const found = {
      nearest: [{ command, title: 'pytest', supported: true, strength: 'declared', because }],
      others: [],
    } as const;
    const { text } = initialConfig('f', found, null);
    expect(parse(text)).toEqual({ test: command });
  });
});

describe('config set and get', () => {
  it('change one value and leave comments and the rest as they were', async () => {
    writeUserFile('# mine\nmodel: a/b # the old one\ntheme: dark\n');
    await config(['set', 'model', 'openai/gpt-test']);
    await config(['set', 'sandbox.cpus', '2']);
    const text = readFileSync(userFile, 'utf8');
    expect(text).toMatch(/^# mine\nmodel: openai\/gpt-test # the old one\ntheme: dark\nsandbox:\n {2}cpus: 2\n$/);
    expect((await config(['get', 'model'])).stdout).toBe('openai/gpt-test\n');
    expect((await config(['get', 'sandbox.cpus'])).stdout).toBe('2\n');
  });

  it.each<[string, string[]]>([
    ['an unknown key', ['set', 'modle', 'a/b']],
    ['a value of the wrong kind', ['set', 'mode', 'yolo']],
    ["a user's key in the project's file", ['set', 'providers.x.base_url', 'https://evil.example', '--project-scope']],
    ['a mode in the project', ['set', 'mode', 'debug', '--project-scope']],
    ['a value that is not there', ['set', 'model']],
    ['a path through the prototype', ['set', '__proto__.polluted', 'yes']],
  ])('refuse %s and write nothing', async (_, args) => {
    writeUserFile('model: a/b\n');
    await expect(config(args)).rejects.toMatchObject({ code: 'usage', exitCode: 2 });
    expect(readFileSync(userFile, 'utf8')).toBe('model: a/b\n');
    expect(() => statSync(join(project, '.fluffy/config.yaml'))).toThrow();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('know what is not set', async () => {
    await expect(config(['get', 'constructor.name'])).rejects.toMatchObject({ exitCode: 2 });
    await expect(config(['get', 'theme'])).rejects.toMatchObject({ exitCode: 2 });
  });
});

describe('config set of a model', () => {
  it.each<[string, RegExp]>([
    ['foo', /provider\/model/],
    ['/foo', /provider\/model/],
    ['anthropic/', /provider\/model/],
    ['foo/bar', /known are anthropic, openai, .*ollama, .*replay/],
  ])('refuses %s at once and says what is valid', async (model, why) => {
    await expect(config(['set', 'model', model])).rejects.toMatchObject({
      exitCode: 2,
      why: expect.stringMatching(why) as unknown,
    });
    expect(() => statSync(userFile)).toThrow();
  });

  it.each(['anthropic/claude-test', 'ollama/qwen3:8b', 'replay/turns.jsonl', 'mine/some/model'])(
    'takes %s',
    async (model) => {
      writeUserFile('providers:\n  mine:\n    kind: openai-compatible\n    base_url: https://models.example/v1\n');
      await config(['set', 'model', model]);
      expect((await config(['get', 'model'])).stdout).toBe(`${model}\n`);
    },
  );
});

describe('config unset', () => {
  it.each([
    ['- a\n- b\n', 'Invalid input: expected object, received array'],
    ['model: [\n', 'deficient indentation'],
  ])('changes no file that holds no mapping: %j', async (text, why) => {
    writeUserFile(text);
    await expect(config(['set', 'mode', 'explore'])).rejects.toMatchObject({
      code: 'config_invalid',
      what: expect.stringMatching(/config\.yaml:[12]:1 cannot be used$/) as string,
      why,
    });
    expect(readFileSync(userFile, 'utf8')).toBe(text);
  });

  it('removes one value, the mappings that are empty without it, and nothing else', async () => {
    writeUserFile('# mine\nmodel: a/b\nsandbox:\n  cpus: 2\ntheme: dark # at night\n');
    await config(['unset', 'sandbox.cpus']);
    expect(readFileSync(userFile, 'utf8')).toBe('# mine\nmodel: a/b\ntheme: dark # at night\n');
    await config(['unset', 'model']);
    await config(['unset', 'theme']);
    await config(['set', 'theme', 'light']);
    expect(parse(readFileSync(userFile, 'utf8'))).toEqual({ theme: 'light' });
  });

  it("changes the project's file when requested", async () => {
    await config(['set', 'model', 'anthropic/x', '--project-scope']);
    await config(['unset', 'model', '--project-scope']);
    expect(parse(readFileSync(join(project, '.fluffy/config.yaml'), 'utf8'))).toEqual({});
  });

  it.each(['theme', 'sandbox.cpus', '__proto__', 'model.x'])('refuses %s, which is not set', async (key) => {
    writeUserFile('model: a/b\n');
    await expect(config(['unset', key])).rejects.toMatchObject({ code: 'usage', exitCode: 2 });
    expect(readFileSync(userFile, 'utf8')).toBe('model: a/b\n');
  });
});

describe('a misspelt key of a configuration file', () => {
  it.each<[string, string, RegExp]>([
    ['modle: a/b\n', ':1:1', /^modle: unknown key; the nearest is "model"$/],
    ['theme: dark\nsandbox:\n  memroy: 1GiB\n', ':3:3', /^sandbox\.memroy: unknown key; the nearest is "memory"$/],
    [
      'providers:\n  mine:\n    kind: openai-compatible\n    base_ulr: https://x.example\n',
      ':4:5',
      /^providers\.mine\.base_ulr: unknown key; the nearest is "base_url"$/,
    ],
    ['zzzzzzz: 1\n', ':1:1', /^zzzzzzz: unknown key; known here: model, mode, test, limits, theme/],
  ])('%j is named with its place and the nearest key', async (text, place, why) => {
    writeUserFile(text);
    for (const args of [['list'], ['set', 'mode', 'explore'], ['unset', 'theme']])
      await expect(config(args)).rejects.toMatchObject({
        code: 'config_invalid',
        what: expect.stringContaining(`${userFile}${place}`) as unknown,
        why: expect.stringMatching(why) as unknown,
      });
  });

  it("is named in the project's file before what is missing because of it", async () => {
    mkdirSync(join(project, '.fluffy'));
    writeFileSync(join(project, '.fluffy/config.yaml'), 'test:\n  runer: vitest\n');
    await expect(config(['list'])).rejects.toMatchObject({
      what: expect.stringContaining('.fluffy/config.yaml:2:3') as unknown,
      why: 'test.runer: unknown key; the nearest is "runner"',
    });
  });

  it('is named when it is set', async () => {
    await expect(config(['set', 'modle', 'a/b'])).rejects.toMatchObject({
      why: expect.stringContaining('the nearest is "model"') as unknown,
    });
  });
});

describe('config list', () => {
  it('merges user, project and environment in that order, and is safe to print', async () => {
    writeUserFile('model: user/model\ntheme: dark\n');
    mkdirSync(join(project, '.fluffy'));
    writeFileSync(join(project, '.fluffy/config.yaml'), 'model: "evil\\e[2J/\\u202emodel"\n');
    const shown = await config(['list']);
    expect(shown.stdout).toContain('model: evil\\x1b[2J/\\u{202e}model\n');
    expect(shown.stdout).toContain('theme: dark\n');
    const json = await config(['list', '--json'], '', { FLUFFY_MODEL: 'env/model' });
    expect(JSON.parse(json.stdout)).toMatchObject({ model: 'env/model', theme: 'dark' });
  });

  it("says what is wrong with a project's file instead of leaving it out", async () => {
    mkdirSync(join(project, '.fluffy'));
    writeFileSync(join(project, '.fluffy/config.yaml'), 'mode: debug\n');
    await expect(config(['list'])).rejects.toMatchObject({
      code: 'config_invalid',
      what: expect.stringContaining('.fluffy/config.yaml:1:1') as unknown,
    });
  });

  it('works outside of any project', async () => {
    writeUserFile('model: user/model\n');
    rmSync(join(project, '.git'), { recursive: true });
    expect((await config(['get', 'model'])).stdout).toBe('user/model\n');
  });
});

describe('config set-key', () => {
  it('keeps the key in a file of its owner alone and never shows it', async () => {
    const result = await config(['set-key', 'anthropic'], `${KEY}\n`);
    expect(result.code).toBe(0);
    expect(`${result.stdout}${result.stderr}`).not.toContain(KEY);
    const file = join(base, 'home/.config/fluffy/keys/anthropic');
    expect(result.stderr).toContain(file);
    expect(readFileSync(file, 'utf8').trim()).toBe(KEY);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(file, '..')).mode & 0o077).toBe(0);
    expect((await config(['list'])).stdout).not.toContain(KEY);
  });

  it.each([
    ['k', true],
    ['1234567', true],
    ['12345678', false],
  ])('of %s says that it is no real key: %s', async (key, isWarned) => {
    const { stderr } = await config(['set-key', 'anthropic'], `${key}\n`);
    expect(stderr.includes('warning: it has fewer than 8 characters')).toBe(isWarned);
  });

  it('replaces an older key', async () => {
    await config(['set-key', 'anthropic'], 'sk-ant-old-old-old-old\n');
    await config(['set-key', 'anthropic'], `${KEY}\n`);
    expect(readFileSync(join(base, 'home/.config/fluffy/keys/anthropic'), 'utf8').trim()).toBe(KEY);
  });

  it.each<[string, string, string]>([
    ['no provider', '', KEY],
    ['nothing on standard input', 'anthropic', ''],
    ['a key of two lines', 'anthropic', 'one\ntwo\n'],
    ['a name that is a path', '../../evil', KEY],
    ['the key in the place of the name', KEY, ''],
    ['the key behind the name', `anthropic ${KEY}`, ''],
    ['the key behind the name, after --', `anthropic -- ${KEY}`, ''],
    ['a provider that nobody has heard of', 'anthropc', KEY],
    ['a name that is a folder', '..', KEY],
  ])('refuses %s, without showing the key', async (_, provider, stdin) => {
    const failing = config(['set-key', ...provider.split(' ').filter((word) => word !== '')], stdin);
    await expect(failing).rejects.toMatchObject({ exitCode: 2 });
    const error: unknown = await failing.catch((thrown: unknown) => thrown);
    expect(`${String(error)}${JSON.stringify(error)}`).not.toContain(KEY);
    expect(() => statSync(join(base, 'home/evil'))).toThrow();
    expect(() => statSync(join(base, 'home/.config/evil'))).toThrow();
  });
});
