import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { policyOf } from '../../../src/cli/config/policy/policy-source.ts';
import type { ProtectedLocations } from '../../../src/contracts/protected-locations.ts';
import { openPolicy } from '../../../src/kernel/policy-source/open-policy.ts';
import { readError, readPolicyText } from '../../../src/kernel/policy-source/read-policy-text.ts';

let projectRoot: string;
beforeEach(() => {
  projectRoot = mkdtempSync(join(tmpdir(), 'fluffy-one-reader-'));
});
afterEach(() => rmSync(projectRoot, { recursive: true, force: true }));

const locations: ProtectedLocations = { bootstrap: [], kernel: [], audit: [], state: [], keys: [] };
const inside = (name: string) => join(projectRoot, '.fluffy', name);

async function inKernel(): Promise<string> {
  const isSigned = () => Promise.resolve(false);
  return openPolicy({ shippedFile: 'policy.yaml', projectRoot, locations, isSigned }).then(
    ({ project }) => (project === null ? 'none' : 'used'),
    (error: unknown) => String((error as { why?: unknown }).why),
  );
}

async function onCommandLine(): Promise<string> {
  const source = { kind: 'project' as const, installRoot: resolve('.'), projectRoot, trustedHashes: new Set<string>() };
  const found = await policyOf(source);
  if (found.kind === 'ok') return found.files.length === 1 ? 'none' : 'used';
  return found.errors.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`).join('; ');
}

describe('kernel and command line agree on the policy of a project', () => {
  const at = (place: string, why: string) => `.fluffy/policy.yaml:${place}: ${why}`;
  it.each<[string, () => void, string]>([
    ['that has no .fluffy', () => undefined, 'none'],
    ['that has an empty .fluffy', () => mkdirSync(inside('')), 'none'],
    ['that narrows', () => put('review: { max_diff_lines: 3 }\n'), 'used'],
    [
      'whose .fluffy is a file',
      () => writeFileSync(join(projectRoot, '.fluffy'), ''),
      at('1:1', "the file can't be read: its directory is not a directory"),
    ],
    [
      'whose .fluffy is a link',
      () => {
        mkdirSync(join(projectRoot, 'elsewhere'));
        symlinkSync('elsewhere', join(projectRoot, '.fluffy'));
      },
      at('1:1', "the file can't be read: its directory is not a directory"),
    ],
    [
      'that is a link',
      () => {
        mkdirSync(inside(''));
        symlinkSync('/etc/hostname', inside('policy.yaml'));
      },
      at('1:1', "the file can't be read: it is a symbolic link"),
    ],
    [
      'that is a FIFO',
      () => {
        mkdirSync(inside(''));
        execFileSync('mkfifo', [inside('policy.yaml')]);
      },
      at('1:1', "the file can't be read: it is not a regular file"),
    ],
    [
      'that is not UTF-8 somewhere',
      () => put(Buffer.from('version: 1\n# é \uFFFD then \xff\n', 'latin1')),
      at('2:3', "the file can't be read: it is not valid UTF-8 (byte 0xe9 at offset 13)"),
    ],
    [
      'that is not UTF-8 behind a replacement character',
      () => put(Buffer.concat([Buffer.from('# é\n# \uFFFDx'), Buffer.from([0xc3, 0x28])])),
      at('2:5', "the file can't be read: it is not valid UTF-8 (byte 0xc3 at offset 11)"),
    ],
    [
      'that is wrong',
      () => put('version: 1\nreview: 3\n'),
      at('2:9', 'review: Invalid input: expected object, received number'),
    ],
    [
      'that is larger than a policy without a signature may be',
      () => put(`# ${'['.repeat(300_000)}\n`),
      at('1:1', 'the file has more than 262144 bytes, the most that a policy without your signature may have'),
    ],
    [
      'that is too large to read',
      () => {
        put('');
        truncateSync(inside('policy.yaml'), 400 * 1024 * 1024);
      },
      at('1:1', "the file can't be read: it is larger than 8388608 bytes"),
    ],
  ])('%s', async (_what, make, outcome) => {
    make();
    expect(await inKernel()).toBe(outcome);
    expect(await onCommandLine()).toBe(outcome);
  });

  function put(text: string | Buffer): void {
    mkdirSync(inside(''));
    writeFileSync(inside('policy.yaml'), text);
  }
});

it.each([
  ['a pipe, which would block the reader', (path: string) => execFileSync('mkfifo', [path])],
  ['a device', (path: string) => symlinkSync('/dev/zero', path)],
  ['a directory', (path: string) => mkdirSync(path)],
])('a file that the user names is refused if it is %s', async (_what, make) => {
  const path = join(projectRoot, 'named.yaml');
  make(path);
  expect(await readPolicyText(path)).toMatchObject({ kind: 'unreadable', why: 'it is not a regular file' });
});

it('a file that the user names and that is not there is an error', async () => {
  const file = join(projectRoot, 'named.yaml');
  const read = await readPolicyText(file);
  if (read.kind === 'text') throw new Error('it was read');
  expect(readError(read)).toEqual({ file, line: 1, column: 1, message: 'the file does not exist', severity: 'error' });
});

it.each(['.fluffy/policy.yml', '.fluffy/policy.json', 'policy.yaml'])(
  '%s is warned of: it is no policy',
  async (name) => {
    mkdirSync(inside(''));
    writeFileSync(join(projectRoot, name), 'capabilities: []\n');
    const source = {
      kind: 'project' as const,
      installRoot: resolve('.'),
      projectRoot,
      trustedHashes: new Set<string>(),
    };
    expect(await policyOf(source)).toMatchObject({
      kind: 'ok',
      warnings: [
        { file: name, message: 'this file is not a policy of fluffy: the policy of a project is .fluffy/policy.yaml' },
      ],
    });
  },
);

it('a policy of four million brackets, which comes with a clone, is refused by its size', async () => {
  mkdirSync(inside(''));
  writeFileSync(
    inside('policy.yaml'),
    `capabilities: [{ name: a, match: { path_glob: ["${'[a]'.repeat(1_300_000)}"] }, action: deny }]\n`,
  );
  expect(await inKernel()).toMatch(/more than 262144 bytes/);
});

it.each([
  ['network_whitelist: { ai-provider: [] }', 1, /network_whitelist has no effect: no tool/],
  ['review: { max_diff_lines: 3 }\nnetwork_whitelist: { ai-provider: [] }', 2, /network_whitelist has no effect/],
])('a section that decides nothing draws a warning with the reason: %s', async (text, line, message) => {
  mkdirSync(inside(''));
  writeFileSync(inside('policy.yaml'), `${text}\n`);
  const isSigned = () => Promise.resolve(false);
  const { warnings } = await openPolicy({ shippedFile: 'policy.yaml', projectRoot, locations, isSigned });
  const [warning] = warnings.filter(({ message: said }) => said.includes('no effect'));
  expect(warning).toMatchObject({
    file: '.fluffy/policy.yaml',
    line,
    message: expect.stringMatching(message) as string,
  });
});
