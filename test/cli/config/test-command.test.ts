import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testCommand } from '../../../src/cli/config/test-command.ts';

let root = '';

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-test-command-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const of = (mode: 'strict' | 'explore' | 'debug', runner?: string) =>
  testCommand({ root, cwd: '' }, runner === undefined ? undefined : { runner, cwd: 'api', args: ['-x'] }, mode);

describe('the test command of a session', () => {
  it('is the configured one before one that is found', () => {
    writeFileSync(join(root, 'pytest.ini'), '[pytest]\n');
    expect(of('strict', 'unittest')).toEqual({ runner: 'unittest', cwd: 'api', args: ['-x'] });
    expect(of('strict')).toEqual({ runner: 'pytest', cwd: '', args: [] });
  });

  it('is missed in strict mode alone', () => {
    expect(() => of('strict')).toThrow(expect.objectContaining({ code: 'no_test_command', exitCode: 2 }) as Error);
    expect(of('explore')).toBeNull();
    expect(of('debug')).toBeNull();
  });

  it.each([
    ['found', undefined, 'there is Cargo.toml; '],
    ['configured', 'cargo-test', 'test.runner in .fluffy/config.yaml names it; '],
  ])('of a runner that is not supported is refused by name in strict mode alone: %s', (_, configured, why) => {
    writeFileSync(join(root, 'Cargo.toml'), '');
    expect(() => of('strict', configured)).toThrow(
      expect.objectContaining({
        code: 'unknown_test_runner',
        exitCode: 2,
        what: 'Tests run by cargo test cannot be judged yet',
        why: expect.stringContaining(why) as string,
      }) as Error,
    );
    expect(of('explore', configured)).toBeNull();
  });
});
