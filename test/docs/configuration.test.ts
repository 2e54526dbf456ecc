import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { projectConfigSchema, userConfigSchema } from '../../src/cli/config/config-schema.ts';
import { unknownVariables } from '../../src/cli/config/known-variables.ts';
import { codeIn, tableUnder } from '../support/source/markdown-tables.ts';
import { REPOSITORY, sourceFiles } from '../support/source/source-files.ts';

const page = readFileSync(join(REPOSITORY, 'docs/configuration.md'), 'utf8');
const named = (heading: string) => tableUnder(page, heading).map(([cell]) => codeIn(cell));

/** What a person can write in the file: each key down to its value, names that the user chooses as `<>`. */
function keysOf(schema: z.ZodType): readonly string[] {
  return leaves(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), []);
}

function leaves(node: z.core.JSONSchema._JSONSchema, path: readonly string[]): string[] {
  if (typeof node === 'boolean') return [path.join('.')];
  const named = Object.entries(node.properties ?? {}).flatMap(([key, child]) => leaves(child, [...path, key]));
  const free = node.additionalProperties;
  const others = typeof free === 'object' ? leaves(free, [...path, '<>']) : [];
  return named.length + others.length > 0 ? [...named, ...others] : [path.join('.')];
}

describe.each([
  ["The user's file", userConfigSchema],
  ["The project's file", projectConfigSchema],
])('%s', (heading, schema) => {
  test('every key is documented, and nothing else is', () => {
    const documented = named(heading).map((key) => key.replace(/<[^>]+>/g, '<>'));
    expect([...documented].sort()).toEqual([...keysOf(schema)].sort());
  });

  test('every choice of a key is documented with it', () => {
    const options = choices(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), []);
    expect(options.length).toBeGreaterThan(0);
    for (const { key, values } of options) {
      const row = tableUnder(page, heading).find(([cell]) => codeIn(cell).replace(/<[^>]+>/g, '<>') === key);
      for (const value of values) expect(row?.[1], key).toContain(`\`${value}\``);
    }
  });
});

function choices(node: z.core.JSONSchema._JSONSchema, path: readonly string[]): { key: string; values: string[] }[] {
  if (typeof node === 'boolean') return [];
  const values = node.enum ?? (node.const === undefined ? [] : [node.const]);
  const own = values.length === 0 ? [] : [{ key: path.join('.'), values: values.map(String) }];
  const below = Object.entries(node.properties ?? {}).flatMap(([key, child]) => choices(child, [...path, key]));
  const free = node.additionalProperties;
  return [...own, ...below, ...(typeof free === 'object' ? choices(free, [...path, '<>']) : [])];
}

describe('Environment', () => {
  const documented = named('Environment');

  test('what is documented is known', () => {
    expect(unknownVariables(Object.fromEntries(documented.map((name) => [name, '1'])))).toEqual([]);
  });

  test('what the source names is documented', () => {
    const inSource = sourceFiles()
      .filter(
        ({ path }) =>
          path === 'src/contracts/model/providers.ts' || path.startsWith('src/cli/') || path.startsWith('src/host/'),
      )
      .flatMap(({ text }) => text.match(/\bFLUFFY_[A-Z_]+[A-Z]\b/g) ?? []);
    expect([...new Set(inSource)].sort()).toEqual([...documented].sort());
  });
});
