import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadProjectConfig, loadUserConfig } from '../../../src/cli/config/load-config.ts';
import { testCommand } from '../../../src/cli/config/test-command.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-test-command-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const of = (mode: 'strict' | 'explore' | 'debug', runner?: string, questions = false) =>
  testCommand(
    { root, cwd: '' },
    { project: runner === undefined ? undefined : { runner, cwd: 'api', args: ['-x'] }, user: undefined },
    { mode, questions },
  );

describe('the test command of a session', () => {
  it('is the configured one before one that is found', () => {
    writeFileSync(join(root, 'pytest.ini'), '[pytest]\n');
    expect(of('strict', 'unittest')).toEqual({ runner: 'unittest', cwd: 'api', args: ['-x'] });
    expect(of('strict')).toEqual({ runner: 'pytest', cwd: '', args: [] });
  });

  it("is the user's own command for this project before any other, and a project cannot choose one", () => {
    writeFileSync(join(root, 'pytest.ini'), '[pytest]\n');
    const own = { project: root, command: ['make', 'check'], cwd: 'c', report: 'tap' as const, files: ['t/*.c'] };
    const elsewhere = { ...own, project: '/elsewhere' };
    const with_ = (commands: (typeof own)[]) =>
      testCommand({ root, cwd: '' }, { project: undefined, user: { commands } }, { mode: 'strict' });
    expect(with_([elsewhere, own])).toEqual({
      runner: 'generic',
      cwd: 'c',
      args: ['make', 'check'],
      report: 'tap',
      files: ['t/*.c'],
    });
    expect(with_([elsewhere])?.runner).toBe('pytest');
    expect(() => of('explore', 'generic')).toThrow(expect.objectContaining({ code: 'unknown_test_runner' }) as Error);
  });

  it('is missed in strict mode alone', () => {
    expect(() => of('strict')).toThrow(expect.objectContaining({ code: 'no_test_command', exitCode: 2 }) as Error);
    expect(of('explore')).toBeNull();
    expect(of('debug')).toBeNull();
  });

  it('is not missed where questions are asked, and one that cannot be judged is', () => {
    expect(of('strict', undefined, true)).toBeNull();
    expect(() => of('strict', 'gradle', true)).toThrow(
      expect.objectContaining({ code: 'unknown_test_runner' }) as Error,
    );
  });

  it.each([
    ['dist/', ['dist'], 'dist'],
    ['./build/test/**/*.test.js', ['/build'], 'build/test'],
    ['out/a.test.js out/b.test.js', ['*/', '!src/'], 'out/a.test.js'],
  ])('that names build output (%s) is refused in strict mode alone', (named, ignored, path) => {
    const script = `tsc && node --test ${named}`;
    writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts: { test: script } }));
    expect(of('strict')).toMatchObject({ runner: 'node-test' });
    writeFileSync(join(root, '.gitignore'), ignored.join('\n'));
    expect(() => of('strict')).toThrow(
      expect.objectContaining({
        code: 'tests_in_build_output',
        exitCode: 2,
        what: `The tests of this project run from ${path}, which git ignores`,
        why: expect.stringContaining(`(${script})`) as string,
      }) as Error,
    );
    expect(of('explore')).toMatchObject({ runner: 'node-test' });
  });

  it.each(['node --test dist/ test/', 'tsc && node --test', 'tsc && node --test "../dist/**"'])(
    'that names more than build output is none: %s',
    (script) => {
      writeFileSync(join(root, '.gitignore'), 'dist\n');
      writeFileSync(join(root, 'package.json'), JSON.stringify({ scripts: { test: script } }));
      expect(of('strict')).toMatchObject({ runner: 'node-test' });
    },
  );

  it.each([
    ['found', undefined, 'there is build.gradle; '],
    ['configured', 'gradle', 'test.runner in .fluffy/config.yaml names it; '],
  ])('of a runner that is not supported is refused by name in strict mode alone: %s', (_, configured, why) => {
    writeFileSync(join(root, 'build.gradle'), '');
    expect(() => of('strict', configured)).toThrow(
      expect.objectContaining({
        code: 'unknown_test_runner',
        exitCode: 2,
        what: 'Tests run by JUnit by Gradle cannot be judged yet',
        why: expect.stringContaining(why) as string,
      }) as Error,
    );
    expect(of('explore', configured)).toBeNull();
  });
});

it.each([
  ['timeout: 30m', { timeout: 1_800_000 }],
  ['max_report: 64MiB', { max_report: 67_108_864 }],
  ['checks: none', { checks: 'none' }],
  ['checks: later', null],
  ['timeout: 6h', null],
  ['timeout: 300', null],
  ['max_report: 1GiB', null],
])('the user may set test.%s', async (line, expected) => {
  const file = join(root, 'config.yaml');
  writeFileSync(file, `test:\n  ${line}\n`);
  const loaded = loadUserConfig(file).then(({ test }) => test);
  if (expected === null) await expect(loaded).rejects.toMatchObject({ code: 'config_invalid' });
  else expect(await loaded).toEqual(expected);
});

it('a project may not', async () => {
  mkdirSync(join(root, '.fluffy'));
  writeFileSync(join(root, '.fluffy/config.yaml'), 'test:\n  runner: pytest\n  timeout: 30m\n');
  await expect(loadProjectConfig(root)).rejects.toMatchObject({ code: 'config_invalid' });
});
