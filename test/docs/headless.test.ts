import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { parseArguments } from '../../src/cli/arguments.ts';
import { eventBodySchema } from '../../src/contracts/events.ts';
import { EXIT } from '../../src/contracts/exit-codes.ts';
import { codeIn, tableUnder } from '../support/source/markdown-tables.ts';
import { REPOSITORY } from '../support/source/source-files.ts';

const page = readFileSync(join(REPOSITORY, 'docs/headless.md'), 'utf8');

describe('events', () => {
  const rows = tableUnder(page, 'Output');

  test('every type is documented, in the order of the contract', () => {
    expect(rows.map(([type]) => codeIn(type))).toEqual(eventBodySchema.options.map((each) => each.shape.type.value));
  });

  test.each(rows.map(([type, fields]) => [codeIn(type), fields ?? ''] as const))('%s: every field', (type, fields) => {
    const schema = eventBodySchema.options.find((each) => each.shape.type.value === type);
    const { type: _type, ...shape } = schema?.shape ?? {};
    const known = Object.entries(shape as Record<string, z.ZodType>).map(
      ([name, field]) => `\`${name}\`${field.isOptional() && name !== 'input' ? '?' : ''}`,
    );
    // What stands in brackets says more of the field before it.
    expect(fields.replace(/ \([^)]*\)/g, '').split(', ')).toEqual(known);
  });
});

test('every exit code is documented', () => {
  expect(tableUnder(page, 'Exit codes').map(([code]) => Number(code))).toEqual(Object.values(EXIT));
});

describe('flags', () => {
  const flags = tableUnder(page, 'Flags').flatMap(([cell]) => (cell ?? '').match(/--?[a-z-]+/g) ?? []);
  const values: Readonly<Record<string, string>> = {
    '--output-format': 'json',
    '--input-format': 'text',
    '--mode': 'strict',
    '--approve': 'ask',
    '--max-duration': '10m',
    '--fork': '--continue',
  };

  test.each(flags)('%s is read', async (flag) => {
    const plain = await parseArguments([flag], '0').catch(() => null);
    const valued = await parseArguments([flag, values[flag] ?? '3'], '0').catch(() => null);
    expect(plain?.kind === 'run' || valued?.kind === 'run').toBe(true);
  });

  test('one that is not there is refused, so the cases above say something', async () => {
    await expect(parseArguments(['--max-patience', '3'], '0')).rejects.toMatchObject({ code: 'usage' });
  });
});
