import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import * as describing from '../../../src/cli/headless/describe-error.ts';
import type { UserFacingError } from '../../../src/contracts/fluffy-error.ts';
import { codeIn, tableUnder } from '../../support/source/markdown-tables.ts';
import { REPOSITORY } from '../../support/source/source-files.ts';
import { ErrorBench } from './bench.ts';
import { FILE_ERRORS } from './file-errors.ts';
import { HOST_ERRORS } from './host-errors.ts';
import { NOT_PROVOKED } from './not-provoked.ts';
import { PROJECT_ERRORS } from './project-errors.ts';
import { RUN_ERRORS } from './run-errors.ts';

/** The page of errors, row by row: each is made to happen, and the command line ends as the page says. */

// The text for people has no code: what is described is what is printed.
const described = vi.spyOn(describing, 'describeError');
const lined = vi.spyOn(describing, 'errorLines');
beforeEach(() => {
  described.mockClear();
  lined.mockClear();
});
afterAll(() => {
  described.mockRestore();
  lined.mockRestore();
});
const printed = () => (described.mock.calls[0]?.[0] ?? lined.mock.calls[0]?.[0]) as UserFacingError | undefined;

const page = tableUnder(readFileSync(join(REPOSITORY, 'docs/errors.md'), 'utf8'), 'Errors');
const rows = page.map(([code = '', exit = '', , fix = '']) => ({
  code: codeIn(code),
  exits: exit.split(', ').map(Number),
  fix,
}));

const PROVOKED = { ...PROJECT_ERRORS, ...RUN_ERRORS, ...FILE_ERRORS, ...HOST_ERRORS };

test('every row is provoked, or has a reason why it is not', () => {
  const known = [...Object.keys(PROVOKED), ...Object.keys(NOT_PROVOKED)].sort();
  expect(known).toEqual(rows.map(({ code }) => code).sort());
});

// Sealing a key with a passphrase is slow on purpose, and slower on a busy machine.
describe('the command line ends as docs/errors.md says', { timeout: 180_000 }, () => {
  test.each(rows.filter(({ code }) => code in PROVOKED))('$code', async ({ code, exits, fix }) => {
    const bench = new ErrorBench();
    try {
      const result = await PROVOKED[code]?.(bench);
      if (result === undefined) throw new Error('nothing was provoked');
      const inRun = result.events.find((event) => event.type === 'error');
      const error = inRun ?? printed();
      expect({ code: error?.code, stderr: result.stderr }).toMatchObject({ code });
      expect(exits).toContain(result.code);
      for (const sentence of [error?.what, error?.why, error?.fix]) expect(sentence).toMatch(/\S/);
      const [named, documented] = [commandsIn(error?.fix ?? ''), commandsIn(fix)];
      if (named.length > 0 && documented.length > 0)
        expect(
          documented.some((command) => named.includes(command)),
          `${named.join()} in ${documented.join()}`,
        ).toBe(true);
    } finally {
      await bench.close();
    }
  });
});

/** `fluffy doctor`, `git fetch`: the program and its first word. */
function commandsIn(text: string): string[] {
  return [...text.matchAll(/\b(?:fluffy|git) (?:--)?[a-z]+(?:-[a-z]+)*/g)].map(([command]) => command);
}
