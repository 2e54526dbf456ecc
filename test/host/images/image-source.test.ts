import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SYNTAX_LANGUAGES } from '../../../src/contracts/ports/syntax.ts';
import { contextEntries, readImageContext } from '../../../src/host/images/image-context.ts';
import { imagePlatform, sourceHash } from '../../../src/host/images/image-source.ts';

const realRoot = resolve(import.meta.dirname, '../../..');
const platform = imagePlatform(process.arch);
let root = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'fluffy-source-'));
  await cp(join(realRoot, 'sandbox-images'), join(root, 'sandbox-images'), { recursive: true });
  const put = async (path: string, text: string): Promise<void> => {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), text);
  };
  await put('dist/kernel.mjs', 'kernel');
  await put('dist/manifest.json', JSON.stringify({ version: 1, files: { 'kernel.mjs': 'hash-1' } }));
  await put('policy.yaml', 'version: 1\n');
  await put('seccomp/strict.json', '{}');
  await put('seccomp/README.md', 'not part of an image');
  await put(`node_modules/@vscode/ripgrep-${platform}/package.json`, '{"name":"rg","version":"1.0.0"}');
  await put(`node_modules/@vscode/ripgrep-${platform}/bin/rg`, 'rg');
  await put('node_modules/better-sqlite3/package.json', '{"name":"better-sqlite3","version":"1.0.0"}');
  await put('node_modules/better-sqlite3/lib/index.js', '');
  await put(`node_modules/better-sqlite3/prebuilds/${platform}.node`, '');
  await put('node_modules/better-sqlite3/prebuilds/win32-x64.node', '');
  await put('node_modules/koffi/package.json', '{"name":"koffi","version":"1.0.0"}');
  await put('node_modules/koffi/index.js', '');
  await put(`node_modules/@koromix/koffi-${platform}/package.json`, '{"name":"k","version":"1.0.0"}');
  for (const name of ['package.json', 'web-tree-sitter.js', 'web-tree-sitter.wasm', 'debug/web-tree-sitter.js'])
    await put(`node_modules/web-tree-sitter/${name}`, '{"name":"web-tree-sitter","version":"1.0.0"}');
  await put('node_modules/@vscode/tree-sitter-wasm/package.json', '{"name":"grammars","version":"1.0.0"}');
  for (const language of [...SYNTAX_LANGUAGES, 'cpp'])
    await put(`node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-${language}.wasm`, '');
});
afterEach(() => rm(root, { recursive: true, force: true }));

const hash = (baseSource = 'base'): Promise<string> =>
  sourceHash({ name: 'kernel', repoRoot: root, platform, baseSource });

describe('the kernel image is made again when', () => {
  test.each([
    ['its bundle changes', 'dist/manifest.json', '{"files":{"kernel.mjs":"hash-2"}}'],
    ['the policy changes', 'policy.yaml', 'version: 2\n'],
    ['a profile changes', 'seccomp/strict.json', '{"a":1}'],
    ['a profile is added', 'seccomp/other.json', '{}'],
    [
      'a package gets another version',
      'node_modules/better-sqlite3/package.json',
      '{"name":"better-sqlite3","version":"1.0.1"}',
    ],
    ['its Dockerfile changes', 'sandbox-images/kernel/Dockerfile', 'FROM scratch\n'],
  ])('%s', async (_name, path, text) => {
    const before = await hash();
    await writeFile(join(root, path), text);
    expect(await hash()).not.toBe(before);
  });

  test('its base changes', async () => {
    expect(await hash('other')).not.toBe(await hash('base'));
  });

  test('a file becomes executable', async () => {
    const before = await hash();
    await chmod(join(root, 'policy.yaml'), 0o755);
    expect(await hash()).not.toBe(before);
  });

  test('and not otherwise', async () => {
    const before = await hash();
    await writeFile(join(root, 'seccomp/README.md'), 'changed');
    await writeFile(join(root, 'dist/cli.mjs'), 'changed');
    expect(await hash()).toBe(before);
  });
});

test('the kernel image holds the native parts of this platform and the shipped grammars alone, at the paths that programs rely on', async () => {
  const entries = contextEntries(await readImageContext(root, 'kernel', platform));
  expect(entries.filter(({ kind }) => kind === 'file').map(({ path }) => path)).toEqual([
    'Dockerfile',
    'rootfs/opt/fluffy/kernel/kernel.mjs',
    `rootfs/opt/fluffy/kernel/node_modules/@koromix/koffi-${platform}/package.json`,
    'rootfs/opt/fluffy/kernel/node_modules/@vscode/tree-sitter-wasm/package.json',
    ...SYNTAX_LANGUAGES.map(
      (language) => `rootfs/opt/fluffy/kernel/node_modules/@vscode/tree-sitter-wasm/wasm/tree-sitter-${language}.wasm`,
    ).sort(),
    'rootfs/opt/fluffy/kernel/node_modules/better-sqlite3/lib/index.js',
    'rootfs/opt/fluffy/kernel/node_modules/better-sqlite3/package.json',
    `rootfs/opt/fluffy/kernel/node_modules/better-sqlite3/prebuilds/${platform}.node`,
    'rootfs/opt/fluffy/kernel/node_modules/koffi/index.js',
    'rootfs/opt/fluffy/kernel/node_modules/koffi/package.json',
    'rootfs/opt/fluffy/kernel/node_modules/web-tree-sitter/package.json',
    'rootfs/opt/fluffy/kernel/node_modules/web-tree-sitter/web-tree-sitter.js',
    'rootfs/opt/fluffy/kernel/node_modules/web-tree-sitter/web-tree-sitter.wasm',
    'rootfs/opt/fluffy/policy.yaml',
    'rootfs/opt/fluffy/seccomp/strict.json',
    'rootfs/usr/local/bin/rg',
  ]);
});

test('a file that is missing is named, with what makes it', async () => {
  await rm(join(root, 'dist/kernel.mjs'));
  await expect(hash()).rejects.toMatchObject({
    code: 'image_input_missing',
    why: expect.stringContaining('dist/kernel.mjs') as string,
  });
});
