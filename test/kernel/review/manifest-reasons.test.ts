import { expect, it } from 'vitest';
import { manifestReasons } from '../../../src/kernel/review/incoming-packages.ts';

const HEAD = 'module job.example/job\n\ngo 1.21\n\ntoolchain go1.21.3\n';

it.each([
  [['go.mod'], HEAD, ['go.mod changes go from 1.21 to 1.24.', 'go.mod loses its line toolchain go1.21.3.']],
  [['add.go'], HEAD, []],
  [['go.mod'], null, []],
] as const)('what a person should know of changed manifests: %j', async (changed, onHead, reasons) => {
  const now = 'module job.example/job\n\ngo 1.24\n';
  const read = () => Promise.resolve({ kind: 'file' as const, bytes: Buffer.from(now), executable: false });
  const commits = { textOnHead: () => Promise.resolve(onHead) };
  expect(await manifestReasons({ commits } as never, { read } as never, changed)).toEqual(reasons);
});
