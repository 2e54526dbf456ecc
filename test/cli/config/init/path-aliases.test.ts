import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pathAliasAdvice } from '../../../../src/cli/config/init/path-aliases.ts';
import type { EventOf } from '../../../../src/contracts/session/events.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-aliases-'));
  writeFileSync(
    join(root, 'tsconfig.json'),
    '{ // own\n"compilerOptions": { "paths": { "@/*": ["./src/*"], "own": ["./a"], }, }, }',
  );
});
afterEach(() => rmSync(root, { recursive: true }));

const failed = (...messages: string[]) =>
  ({
    cases: messages.map((message) => ({ file: 'a.test.ts', name: '(load)', status: 'failed', failure: { message } })),
  }) as unknown as EventOf<'test.finished'>;

it.each([
  ['node-test', "Cannot find package '@/sum' imported from /p/a.test.ts", /"@\/\*" of tsconfig\.json.*tsx/],
  ['mocha', "Error: Cannot find module '@/sum'\nRequire stack:", /"@\/\*" of tsconfig\.json.*tsconfig-paths/],
  ['jest', "Cannot find module '@/sum' from 'a.test.ts'", /"@\/\*" of tsconfig\.json.*moduleNameMapper/],
  ['vitest', 'Failed to resolve import "own" from "a.test.ts".', /"own" of tsconfig\.json.*resolve\.alias/],
])('an alias that the runner does not know is named with where it belongs: %s', (runner, message, said) => {
  expect(pathAliasAdvice(root, { runner, cwd: '', args: [] }, failed('1 != 2', message))).toMatch(said);
});

it.each([
  ['another module', "Cannot find package 'left-pad' imported from /p/a.test.ts"],
  ['the beginning of an exact name', "Cannot find module 'owner' from 'a.test.ts'"],
  ['another failure', 'expected "@/sum"'],
])('nothing is said of %s', (_, message) => {
  expect(pathAliasAdvice(root, { runner: 'jest', cwd: '', args: [] }, failed(message))).toBe('');
});

it('nothing is said without such a file, or of a run that was none', () => {
  const command = { runner: 'jest', cwd: '', args: [] };
  expect(pathAliasAdvice(root, command, null)).toBe('');
  rmSync(join(root, 'tsconfig.json'));
  expect(pathAliasAdvice(root, command, failed("Cannot find module '@/sum' from 'a.test.ts'"))).toBe('');
});
