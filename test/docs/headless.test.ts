import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { readCommandLine } from '../../src/cli/command-line/read-command-line.ts';
import { GLOBAL_OPTIONS } from '../../src/cli/command-line/cli-command.ts';
import type { OptionTable } from '../../src/cli/command-line/cli-command.ts';
import { DEFAULT_COMMAND } from '../../src/cli/command-line/registry.ts';
import { eventBodySchema } from '../../src/contracts/session/events.ts';
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
    '--effort': 'low',
    '--approve': 'ask',
    '--max-duration': '10m',
    '--fork': '--continue',
  };

  test('every flag of a run is in the table', () => {
    const options: OptionTable = { ...DEFAULT_COMMAND.options, ...GLOBAL_OPTIONS };
    const named = Object.entries(options)
      .filter(([name]) => name !== 'json')
      .flatMap(([name, { alias }]) => [
        `--${name}`,
        ...(alias === undefined ? [] : [alias].flat().map((each) => `-${each}`)),
      ]);
    expect([...new Set(flags)].sort()).toEqual(named.sort());
  });

  test.each(flags)('%s is read', async (flag) => {
    const plain = await readCommandLine([flag], '0').catch(() => null);
    const valued = await readCommandLine([flag, values[flag] ?? '3'], '0').catch(() => null);
    expect(plain?.kind === 'command' || valued?.kind === 'command').toBe(true);
  });

  test('one that is not there is refused, so the cases above say something', async () => {
    await expect(readCommandLine(['--max-patience', '3'], '0')).rejects.toMatchObject({ code: 'usage' });
  });
});
