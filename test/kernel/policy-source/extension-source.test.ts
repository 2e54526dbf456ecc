import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MAX_EXTENSION_BYTES } from '../../../src/contracts/policy-extension.ts';
import { readExtensionSource } from '../../../src/kernel/policy-source/extension-source.ts';
import { readProjectText } from '../../../src/kernel/policy-source/open-policy.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'fluffy-extension-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const file = (): string => join(root, 'x.ts');

it.each<readonly [string, () => void, object]>([
  ['text', () => writeFileSync(file(), '\ufeffexport {};'), { kind: 'text', text: '\ufeffexport {};' }],
  ['not there', () => undefined, { kind: 'missing' }],
  ['a link', () => symlinkSync('/etc/passwd', file()), { kind: 'unreadable', why: 'it is a symbolic link' }],
  ['a directory', () => mkdirSync(file()), { kind: 'unreadable', why: 'it is not a regular file' }],
  ['a pipe', () => execFileSync('mkfifo', [file()]), { kind: 'unreadable', why: 'it is not a regular file' }],
  [
    'too large',
    () => {
      writeFileSync(file(), '');
      truncateSync(file(), MAX_EXTENSION_BYTES + 1);
    },
    { kind: 'unreadable', why: `it has more than ${MAX_EXTENSION_BYTES} bytes` },
  ],
  ['no text', () => writeFileSync(file(), Buffer.from([0xff])), { kind: 'unreadable', why: 'it is not valid UTF-8' }],
])('an extension that is %s', async (_what, make, expected) => {
  make();
  expect(await readExtensionSource(root, 'x.ts')).toEqual(expected);
});

it('an extension beside a policy whose directory is none is not read', async () => {
  writeFileSync(file(), 'x');
  symlinkSync(root, join(root, 'link'));
  expect(await readExtensionSource(join(root, 'link'), 'x.ts')).toEqual({
    kind: 'unreadable',
    why: 'its directory is not a directory',
  });
});

it('the policy of a project is its text, nothing, or cannot be used', async () => {
  expect(await readProjectText(root)).toBeNull();
  mkdirSync(join(root, '.fluffy'));
  writeFileSync(join(root, '.fluffy/policy.yaml'), 'not a policy');
  expect(await readProjectText(root)).toMatchObject({ text: 'not a policy' });
  writeFileSync(join(root, '.fluffy/policy.yaml'), Buffer.from([0xff]));
  await expect(readProjectText(root)).rejects.toMatchObject({ code: 'policy_invalid' });
});
