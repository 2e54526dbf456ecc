import { expect, it } from 'vitest';
import type { ProjectPath } from '../../../../src/contracts/ids.ts';
import { projectMap } from '../../../../src/kernel/run/prompt/project-map.ts';
import { testKernel } from '../../../support/kernel/test-kernel.ts';

const sources = (count: number): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`src/part${index}.js`, `export const part${index} = ${index};\n`]),
  );

async function mapOf(files: Readonly<Record<string, string>>) {
  const kernel = testKernel({ files });
  const { paths } = await kernel.workspace.glob('**/*', '' as ProjectPath, 3_000);
  return { kernel, map: await projectMap(kernel.context, paths) };
}

it('the map of the first turn is of projects with up to 60 sources', async () => {
  const { map, kernel } = await mapOf(sources(60));
  expect(map).toContain('src/part0.js\n  1: export const part0 = 0;');
  expect(map.length).toBeLessThanOrEqual(2_400);
  expect(kernel.audit.records.at(-1)).toMatchObject({ syscall_type: 'repo.map', policy_decision: 'allowed' });
  expect((await mapOf(sources(61))).map).toBe('');
  expect((await mapOf({ 'README.md': '# x\n' })).map).toBe('');
});

it('has no key of a source', async () => {
  const key = `sk-ant-api03-${'a1B2'.repeat(23)}AA`;
  const { map } = await mapOf({ 'src/a.js': `export function connect(key = '${key}') {}\nconnect();\n` });
  expect(map).toContain('export function connect');
  expect(map).not.toContain(key);
});
