import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { check } from '../../../../src/cli/config/policy/check.ts';
import { explainQuery } from '../../../../src/cli/config/policy/explain/explain-query.ts';
import { policyOf } from '../../../../src/cli/config/policy/policy-source.ts';
import { show } from '../../../../src/cli/config/policy/show.ts';
import { policyQuerySchema } from '../../../../src/contracts/policy.ts';
import { loadPolicy } from '../../../../src/kernel/policy/index.ts';

let directory: string;
let file: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-extensions-'));
  file = join(directory, 'policy.yaml');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A policy with one extension, `judge.ts`, whose digest is that of `signed`. */
function policyText(signed: string, match = '{ syscall: fs.write }'): string {
  return `version: 1
capabilities:
  - { name: writes, match: { syscall: fs.write }, action: allow }
extensions:
  - name: judge
    entry: judge.ts
    sha256: ${sha256(signed)}
    match: ${match}
`;
}

function put(source: string, signed = source): void {
  writeFileSync(file, policyText(signed));
  writeFileSync(join(directory, 'judge.ts'), source);
}

function sink(): { readonly stream: Writable; text(): string } {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { stream, text: () => text };
}

async function checked(): Promise<{ code: number; text: string }> {
  const out = sink();
  const code = await check({ source: { kind: 'file', file }, json: false, stdout: out.stream });
  return { code, text: out.text().replaceAll(directory, '') };
}

const GOOD = `import type { PolicyExtension } from './policy-extension.ts';
enum Verdict { No = 'deny' }
const rule: PolicyExtension = () => ({ decision: Verdict.No });
export default rule;
`;

describe('config policy check', () => {
  test('has nothing to say of a good one', async () => {
    put(GOOD);
    expect(await checked()).toEqual({ code: 0, text: 'The policy is valid.\n' });
  });

  test.each([
    ['is no TypeScript', 'const a = 1;\nexport default (a: => 1;\n', '/judge.ts:2:20: error: '],
    [
      'has no default export',
      'export const rule = () => ({ decision: "deny" });\n',
      '/judge.ts:1:1: error: it has no default export',
    ],
    ['is empty', '', '/judge.ts:1:1: error: it has no default export'],
    [
      'imports a file',
      "import { a } from './a.ts';\nexport default () => a;\n",
      '/judge.ts:1:19: error: "./a.ts": an extension is one file',
    ],
    [
      'imports a type by value',
      "import { A } from './a.ts';\nexport default (): A => 1;\n",
      '/judge.ts:1:19: error: "./a.ts"',
    ],
    [
      'imports a package later',
      "export default () =>\n  import('zod');\n",
      '/judge.ts:2:10: error: "zod": an extension is one file',
    ],
  ])('finds one that %s', async (_title, source, said) => {
    put(source);
    const { code, text } = await checked();
    expect(code).toBe(2);
    expect(text).toContain(said);
  });

  test('tells the digest of a file that is not the one that was meant', async () => {
    put(GOOD, 'another text');
    expect(await checked()).toEqual({
      code: 2,
      text: `/policy.yaml:7:13: error: extensions[0].sha256: judge.ts is another text: its digest is ${sha256(GOOD)}\n`,
    });
  });

  test('finds one that is not there', async () => {
    writeFileSync(file, policyText(GOOD));
    expect(await checked()).toEqual({
      code: 2,
      text: '/policy.yaml:6:12: error: extensions[0].entry: there is no file judge.ts beside the policy\n',
    });
  });

  test.each<[string, () => void, string]>([
    ['a link', () => symlinkSync('/etc/passwd', join(directory, 'judge.ts')), 'it is a symbolic link'],
    ['a directory', () => mkdirSync(join(directory, 'judge.ts')), 'it is not a regular file'],
    [
      'too large',
      () => writeFileSync(join(directory, 'judge.ts'), ' '.repeat(262_145)),
      'it has more than 262144 bytes',
    ],
    ['no text', () => writeFileSync(join(directory, 'judge.ts'), Buffer.from([0xff])), 'it is not valid UTF-8'],
  ])('does not read one that is %s', async (_title, make, why) => {
    writeFileSync(file, policyText(GOOD));
    make();
    expect((await checked()).text).toContain(`judge.ts can't be read: ${why}`);
  });

  test('warns of one that is asked about reading every file', async () => {
    put(GOOD);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/ {4}match: .*\n/, ''));
    expect((await checked()).text).toMatch(
      /policy.yaml:5:11: warning: extension "judge" is asked about reading any file/,
    );
  });
});

test('a policy whose extension is another text has another hash', async () => {
  const hashes: string[] = [];
  for (const source of [GOOD, `${GOOD}// more\n`]) {
    put(source);
    const inForce = await policyOf({ kind: 'file', file });
    hashes.push(inForce.kind === 'ok' ? inForce.policy.hash : inForce.kind);
  }
  expect(new Set(hashes).size).toBe(2);
  expect(hashes).not.toContain('invalid');
});

test('config policy show lists them without their text', async () => {
  put(GOOD);
  const out = sink();
  await show({ source: { kind: 'file', file }, json: true, stdout: out.stream, stderr: sink().stream });
  const shown = JSON.parse(out.text()) as { policy: { extensions: unknown } };
  expect(shown.policy.extensions).toEqual([
    { name: 'judge', entry: 'judge.ts', sha256: sha256(GOOD), match: { syscall: ['fs.write'] } },
  ]);
});

describe('config policy explain', () => {
  const loaded = loadPolicy(policyText(GOOD), 'policy.yaml');
  const explained = (query: object) => {
    if (loaded.kind === 'invalid') throw new Error('the policy of the test is invalid');
    return explainQuery(loaded.policy, policyQuerySchema.parse(query), null);
  };

  test('says that the kernel would ask', () => {
    expect(explained({ syscall: 'fs.write', path: 'a' })).toMatchObject({
      decision: 'allow',
      warnings: ['the kernel would also ask the extension "judge", which is not run here and can change the decision'],
    });
  });

  test.each([
    ['it is not for such a request', { syscall: 'fs.read', path: 'a' }],
    ['another layer denies anyway', { syscall: 'fs.write', path: '.fluffy/policy.yaml' }],
  ])('says nothing of it where %s', (_title, query) => {
    expect(explained(query)).not.toHaveProperty('warnings');
  });
});
