import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { EXIT_PRECEDENCE } from '../../src/contracts/exit-codes.ts';
import { MODEL_FAILURES } from '../../src/contracts/model/model.ts';
import { EVIDENCE_REASONS, TOOL_ERROR_CODES } from '../../src/contracts/model/tool-errors.ts';
import { readErrorCodes } from '../support/source/error-codes.ts';
import type { ErrorCodes } from '../support/source/error-codes.ts';
import { codeIn, tableUnder } from '../support/source/markdown-tables.ts';
import { REPOSITORY } from '../support/source/source-files.ts';

const page = readFileSync(join(REPOSITORY, 'docs/errors.md'), 'utf8');
const errors = tableUnder(page, 'Errors');
const codes = (heading: string) => tableUnder(page, heading).map(([code]) => codeIn(code));
const sorted = (names: readonly string[]) => [...names].sort();

let found: ErrorCodes;
// The types of the whole source are checked, which takes minutes on a busy machine.
beforeAll(() => {
  found = readErrorCodes();
}, 360_000);

test('no error of the source has a code that only running it would tell', () => {
  expect(found.untyped).toEqual([]);
});

test('every error is documented, and nothing else is', () => {
  const inSource = found.codes.filter(({ exitCodes }) => exitCodes.length > 0).map(({ code }) => code);
  expect(inSource.length).toBeGreaterThan(60);
  expect(codes('Errors')).toEqual(inSource);
});

test('each with the exit codes it ends with', () => {
  const exits = new Map(found.codes.map(({ code, exitCodes }) => [code, exitCodes]));
  for (const [code, cell] of errors) {
    const told = (cell ?? '').split(', ').map(Number);
    const known = exits.get(codeIn(code)) ?? [];
    // Where the type leaves more than two open, the page has to be among them.
    if (known.length <= 2) expect(told, codeIn(code)).toEqual(known);
    else expect(known, codeIn(code)).toEqual(expect.arrayContaining(told));
  }
});

test('every notice is documented, and nothing else is', () => {
  const gates: readonly string[] = EVIDENCE_REASONS;
  const inSource = found.codes.filter(({ exitCodes }) => exitCodes.length === 0).map(({ code }) => code);
  expect(codes('Notices')).toEqual(inSource.filter((code) => !gates.includes(code)));
});

describe('what the contracts name is documented, in order', () => {
  const gates: readonly string[] = EVIDENCE_REASONS;
  test.each([
    ['Gates', EVIDENCE_REASONS],
    ['Tool errors', TOOL_ERROR_CODES.filter((code) => code === 'timeout' || !gates.includes(code))],
    ['Model failures', MODEL_FAILURES],
  ])('%s', (heading, names) => {
    expect(codes(heading)).toEqual(sorted(names));
  });
});

test('the order of exit codes is the one that is used', () => {
  const told = /Several at once: ([\d, ]+) in this order/.exec(page)?.[1]?.split(', ').map(Number);
  expect(told).toEqual(EXIT_PRECEDENCE.filter((code) => code !== 0));
});

test('every row says something in each column', () => {
  for (const row of errors) expect(row.every((cell) => cell.length > 0) && row.length === 4, row[0]).toBe(true);
});
