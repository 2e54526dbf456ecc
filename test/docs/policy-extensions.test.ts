import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import type * as Contract from '../../src/contracts/policy-extension.ts';
import { extensionAnswerSchema } from '../../src/contracts/policy-extension.ts';
import { checkExtensions } from '../../src/cli/config/policy/check-extensions.ts';
import { loadPolicy } from '../../src/kernel/policy/index.ts';
import type * as Sdk from '../../tool-plugins/sdk/policy-extension.ts';
import { REPOSITORY } from '../support/source/source-files.ts';

const page = readFileSync(join(REPOSITORY, 'docs/policy.md'), 'utf8');
const section = page.slice(page.indexOf('## Extensions'), page.indexOf("## A project's own policy"));
const block = (language: string): string => new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(section)?.[1] ?? '';
const source = block('ts');
const loaded = loadPolicy(block('yaml'), 'policy.yaml');

test('the policy of the example names the extension of the example, by its digest', () => {
  expect(loaded).toMatchObject({ kind: 'ok', warnings: [] });
  const [extension] = loaded.kind === 'ok' ? loaded.policy.extensions : [];
  expect(extension?.sha256).toBe(createHash('sha256').update(source).digest('hex'));
});

test('config policy check finds nothing in it', async () => {
  const extension = { name: 'example', entry: 'example.ts', sha256: '', source };
  expect(await checkExtensions({ extensions: [extension] }, '/')).toEqual([]);
});

test.each([
  ['migrations/0042_add_index.sql', 100, { decision: 'pass' }],
  ['migrations/0042_add_index.sql', 20_000, { decision: 'require_review', reason: '0042_add_index.sql is long' }],
  ['migrations/late.sql', 100, { decision: 'deny', reason: 'A migration is named like 0042_add_index.sql' }],
  [undefined, undefined, { decision: 'deny', reason: 'A migration is named like 0042_add_index.sql' }],
])('it answers for %s of %s bytes as the page says', async (path, sizeBytes, expected) => {
  const { code } = await transform(source, { loader: 'ts', format: 'esm' });
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as { default: Sdk.PolicyExtension };
  const answer = await module.default({
    syscall: 'fs.write',
    path,
    sizeBytes,
    state: 'idle',
    mode: 'strict',
    tags: [],
  });
  expect(extensionAnswerSchema.parse(answer)).toEqual(expected);
});

test('the types that are handed out are those of the wire', () => {
  const asked: Same<Sdk.ExtensionRequest, Readonly<Contract.ExtensionRequest>> = true;
  const answered: Same<Sdk.ExtensionAnswer, Readonly<Contract.ExtensionAnswer>> = true;
  expect([asked, answered]).toEqual([true, true]);
});

/** Each can stand in the place of the other, lists apart: what is handed out cannot be written to. */
type Same<A, B> = [A] extends [Loose<B>] ? ([B] extends [A] ? true : false) : false;
type Loose<T> = { readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? readonly E[] : T[K] };

test('the file of the types stands by itself', () => {
  const types = readFileSync(join(REPOSITORY, 'tool-plugins/sdk/policy-extension.ts'), 'utf8');
  expect(types).not.toMatch(/^import/m);
});
