import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { check } from '../../../../src/cli/config/policy/check.ts';
import { explain, explainStdin } from '../../../../src/cli/config/policy/explain/explain.ts';
import { sha256Of } from '../../../../src/kernel/policy-source/read-policy-text.ts';
import type { PolicySource } from '../../../../src/cli/config/policy/policy-source.ts';
import { show } from '../../../../src/cli/config/policy/show.ts';

const INSTALL_ROOT = new URL('../../../../', import.meta.url).pathname;
const POLICY = `capabilities:
  - { name: write-src, match: { syscall: fs.write, path_glob: src/, state_machine_state: code_writing }, action: allow, constraints: { require_sandbox: L2 } }
  - { name: look, match: { path_glob: package.json }, action: require_review, reason: Sensitive }
  - { name: trusted, match: { caller_tag: core_plugin, plugin: git-tool, host: example.com, session_mode: debug }, action: allow }
`;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fluffy-policy-'));
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function file(name: string, text: string | Uint8Array): string {
  const path = join(directory, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

class Sink extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

function options(source: PolicySource, json = true) {
  return { source, projectRoot: null, json, stdout: new Sink(), stderr: new Sink() };
}

const ofFile = (text: string, json = true) => options({ kind: 'file', file: file('policy.yaml', text) }, json);

async function batch(policy: string, ...chunks: (string | Uint8Array)[]) {
  const io = ofFile(policy);
  const stdin = new PassThrough();
  const done = explainStdin(stdin, io);
  for (const chunk of chunks) stdin.write(chunk);
  stdin.end();
  const code = await done;
  const answers = io.stdout.text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { code, answers, stderr: io.stderr.text };
}

describe('explain', () => {
  test('prints the decision, the rules and what the allow is tied to', async () => {
    const io = ofFile(POLICY);
    expect(await explain({ syscall: 'fs.write', path: './src//a.ts', state: 'code_writing' }, io)).toBe(0);
    expect(JSON.parse(io.stdout.text)).toEqual({
      decision: 'allow',
      rules: [{ name: 'write-src', layer: 'yaml', action: 'allow' }],
      reasons: [],
      constraints: [{ requireSandbox: 'L2' }],
    });
  });

  test('knows every field of a request', async () => {
    const io = ofFile(POLICY);
    const given = {
      syscall: 'x.y',
      tags: ['a', 'core_plugin'],
      plugin: 'git-tool',
      host: 'example.com:443',
      mode: 'debug',
    };
    expect(await explain(given, io)).toBe(0);
    expect(JSON.parse(io.stdout.text)).toMatchObject({ decision: 'allow', rules: [{ name: 'trusted' }] });
  });

  test('begins in state idle, in strict mode, without tags', async () => {
    const io = ofFile(
      'capabilities: [{ name: d, match: { state_machine_state: idle, session_mode: strict }, action: allow }]',
    );
    await explain({ syscall: 'x' }, io);
    expect(JSON.parse(io.stdout.text)).toMatchObject({ decision: 'allow' });
  });

  test('tells people the same in words', async () => {
    const io = ofFile(POLICY, false);
    await explain({ syscall: 'fs.write', path: 'package.json' }, io);
    expect(io.stdout.text).toContain('require review');
    expect(io.stdout.text).toContain('[yaml] look: require_review - Sensitive');
  });

  test('built-in rules stay with a policy of the user', async () => {
    const io = ofFile('capabilities: [{ name: all, match: { path_glob: "**" }, action: allow }]');
    await explain({ syscall: 'fs.write', path: '.fluffy/policy.yaml' }, io);
    expect(JSON.parse(io.stdout.text)).toMatchObject({
      decision: 'deny',
      rules: [{ name: 'protect-policy', layer: 'builtin', action: 'deny' }],
    });
  });

  test('an unknown state is a usage error', async () => {
    const io = ofFile(POLICY);
    expect(await explain({ syscall: 'fs.write', state: 'coding' }, io)).toBe(2);
    expect(io.stderr.text).toContain('state');
    expect(io.stdout.text).toBe('');
  });

  test.each([
    ['invalid', 'capabilities: [{}]'],
    ['invalid YAML', 'capabilities: ['],
    ['not UTF-8', Buffer.from([0x63, 0xff, 0xfe])],
  ])('a policy that is %s is exit 2, with its place', async (_, text) => {
    const io = options({ kind: 'file', file: file('policy.yaml', text) });
    expect(await explain({ syscall: 'fs.read' }, io)).toBe(2);
    expect(io.stderr.text).toMatch(/policy\.yaml:\d+:\d+: error: /);
    expect(JSON.parse(io.stdout.text)).toMatchObject({ valid: false, warnings: [] });
  });

  test('a policy that does not load is told to programs as check tells it', async () => {
    const bad = 'capabilities:\n  - { name: a, match: { syscall: x.y }, action: permit }\n';
    const [explained, shown, checked] = [ofFile(bad), ofFile(bad), ofFile(bad)];
    expect(await explain({ syscall: 'fs.read' }, explained)).toBe(2);
    expect(await show(shown)).toBe(2);
    expect(await check(checked)).toBe(2);
    expect(checked.stdout.text).toContain('"errors":[{"file":');
    expect(explained.stdout.text).toBe(checked.stdout.text);
    expect(shown.stdout.text).toBe(checked.stdout.text);
    const words = ofFile(bad, false);
    expect(await explain({ syscall: 'fs.read' }, words)).toBe(2);
    expect(words.stdout.text).toBe('');
    expect(words.stderr.text).toContain('policy.yaml:2:');
  });

  test.each([
    ['fs.raed', 'fs.read'],
    ['fs.wirte', 'fs.write'],
    ['nothing.like.it', null],
  ])('the syscall %s draws the warning that check gives, and is decided anyway', async (syscall, meant) => {
    const policy = `capabilities: [{ name: r, match: { syscall: ${syscall} }, action: allow }]`;
    const checked = ofFile(policy);
    await check(checked);
    const [given] = (JSON.parse(checked.stdout.text) as { warnings: { message: string }[] }).warnings;
    expect(given?.message).toContain(meant === null ? 'no shipped tool' : `did you mean "${meant}"?`);
    const json = ofFile(policy);
    expect(await explain({ syscall }, json)).toBe(0);
    expect(JSON.parse(json.stdout.text)).toMatchObject({ decision: 'allow', warnings: [given?.message] });
    const words = ofFile(policy, false);
    await explain({ syscall }, words);
    expect(words.stderr.text).toContain(`warning: ${given?.message ?? ''}\n`);
    expect(words.stdout.text).toMatch(/^allow\n/);
  });

  test('a policy that is not there is exit 2, not a default', async () => {
    const io = options({ kind: 'file', file: join(directory, 'none.yaml') });
    expect(await explain({ syscall: 'fs.read' }, io)).toBe(2);
    expect(io.stderr.text).toContain('the file does not exist');
  });
});

describe('explain --batch', () => {
  test('answers each line in order, and bad ones with an error', async () => {
    const { code, answers } = await batch(
      POLICY,
      '{"syscall":"fs.write","path":"src/a","state":"code_writing"}\n',
      'not json\n\n{"syscall":"fs.write","path":"../a"}\n{"path":"x"}\n{"syscall":"a","colour":"red"}\n',
      '{"syscall":"a","state":"coding"}\n{"syscall":"a","syscall":"fs.write"}\n[1]\nnull\n{"syscall":"a","tags":"x"}\n',
      '{"syscall":"fs.write","path":"package.json"}',
    );
    expect(code).toBe(0);
    expect(answers.map((answer) => [answer['decision'], 'error' in answer])).toEqual([
      ['allow', false],
      ['deny', true],
      ['deny', true],
      ['deny', false],
      ['deny', true],
      ['deny', true],
      ['deny', true],
      ['deny', true],
      ['deny', true],
      ['deny', true],
      ['deny', true],
      ['require_review', false],
    ]);
    for (const answer of answers)
      expect(answer).toMatchObject({ rules: expect.any(Array) as unknown, reasons: expect.any(Array) as unknown });
  });

  test('a line may come in pieces, cut within a character', async () => {
    const line = Buffer.from('{"syscall":"fs.write","path":"src/é.ts","state":"code_writing"}\n');
    const { answers } = await batch(POLICY, ...Array.from(line, (byte) => Uint8Array.of(byte)));
    expect(answers).toMatchObject([{ decision: 'allow' }]);
  });

  test('a line without end is answered with an error and not kept', async () => {
    const { answers } = await batch(POLICY, ...Array<string>(64).fill('x'.repeat(65_536)), '\n{"syscall":"a"}\n');
    expect(answers).toMatchObject([{ error: expect.stringContaining('longer than') as unknown }, { decision: 'deny' }]);
    expect(answers[1]).not.toHaveProperty('error');
  });

  test('invalid UTF-8 is an error of its line', async () => {
    const { answers } = await batch(POLICY, Buffer.from([0x22, 0xff, 0x22, 0x0a]), '{"syscall":"a"}\n');
    expect(answers).toMatchObject([{ error: 'invalid UTF-8' }, {}]);
  });

  test('a line is answered before the next one comes', async () => {
    const io = ofFile(POLICY);
    const stdin = new PassThrough();
    const first = new Promise<string>((resolve) => {
      io.stdout._write = (chunk: Buffer, _encoding, done) => {
        resolve(chunk.toString('utf8'));
        done();
      };
    });
    const done = explainStdin(stdin, io);
    stdin.write('{"syscall":"a"}\n');
    expect(JSON.parse(await first)).toMatchObject({ decision: 'deny' });
    stdin.end();
    expect(await done).toBe(0);
  });

  test('nothing in, nothing out', async () => {
    expect(await batch(POLICY)).toMatchObject({ code: 0, answers: [] });
  });

  test('an invalid policy is exit 2 before any line is read', async () => {
    expect(await batch('capabilities: 7', '{"syscall":"a"}\n')).toMatchObject({ code: 2, answers: [] });
  });
});

describe('the policy in force', () => {
  const project = (trusted: readonly string[] = []): PolicySource => ({
    kind: 'project',
    installRoot: INSTALL_ROOT,
    projectRoot: directory,
    trustedHashes: new Set(trusted),
  });
  const SHELL = 'capabilities: [{ name: shell, match: { syscall: shell.run }, action: allow }]';
  const decisionOn = async (source: PolicySource) => {
    const io = options(source);
    const code = await explain({ syscall: 'shell.run' }, io);
    return code === 0 ? (JSON.parse(io.stdout.text) as { decision: string }).decision : code;
  };

  test('outside of a project, or in one without a policy, is the shipped one', async () => {
    const io = options({ kind: 'project', installRoot: INSTALL_ROOT, projectRoot: null, trustedHashes: new Set() });
    expect(await explain({ syscall: 'fs.read', path: 'a' }, io)).toBe(0);
    expect(await decisionOn(project())).toBe('deny');
  });

  test('takes an allow of the project only when the user has signed that very text', async () => {
    const path = file('.fluffy/policy.yaml', SHELL);
    expect(await decisionOn(project())).toBe('deny');
    const hash = sha256Of(readFileSync(path, 'utf8'));
    expect(await decisionOn(project([hash]))).toBe('allow');
    file('.fluffy/policy.yaml', `${SHELL} `);
    expect(await decisionOn(project([hash]))).toBe('deny');
  });

  test.each([
    ['empty', ''],
    ['of comments only', '# none\n'],
    ['invalid', 'capabilities: {}'],
  ])('is none at all if the project policy is %s', async (_, text) => {
    file('.fluffy/policy.yaml', text);
    expect(await decisionOn(project())).toBe(2);
  });

  test('is none at all if the project policy can not be read', async () => {
    mkdirSync(join(directory, '.fluffy/policy.yaml'), { recursive: true });
    expect(await decisionOn(project())).toBe(2);
  });

  test('is shown with its parts', async () => {
    file('.fluffy/policy.yaml', 'capabilities: [{ name: vendored, match: { path_glob: vendor/ }, action: deny }]');
    const io = options(project());
    expect(await show(io)).toBe(0);
    const shown = JSON.parse(io.stdout.text) as {
      files: { role: string; signed: boolean }[];
      policy: { capabilities: { name: string }[]; builtin: unknown[] };
    };
    expect(shown.files.map(({ role, signed }) => [role, signed])).toEqual([
      ['shipped', true],
      ['project', false],
    ]);
    expect(shown.policy.capabilities.map(({ name }) => name)).toContain('vendored');
    expect(shown.policy.builtin.length).toBeLessThanOrEqual(10);
  });

  test('as text it is YAML that says what it is made of', async () => {
    const io = options(project(), false);
    await show(io);
    expect(io.stdout.text).toMatch(/^# policy [0-9a-f]{64}\n# shipped: .*policy\.yaml\n/);
    expect(io.stdout.text).toContain('- name: read-project');
  });
});

describe('check', () => {
  const run = async (text: string, json: boolean) => {
    const stdout = new Sink();
    const code = await check({ source: { kind: 'file', file: file('policy.yaml', text) }, json, stdout });
    return { code, text: stdout.text };
  };

  test('a good policy is exit 0', async () => {
    expect(await run(POLICY, false)).toEqual({ code: 0, text: 'The policy is valid.\n' });
    expect(JSON.parse((await run(POLICY, true)).text)).toEqual({ valid: true, errors: [], warnings: [] });
  });

  test('warnings are shown and do not fail', async () => {
    const { code, text } = await run('capabilities: [{ name: r, match: { path_glob: [] }, action: deny }]', false);
    expect(code).toBe(0);
    expect(text).toMatch(/policy\.yaml:1:47: warning: /);
  });

  test('errors are exit 2 and say where', async () => {
    const { code, text } = await run('capabilities:\n  - name: r\n    mach: { syscall: a }\n    action: allow', true);
    expect(code).toBe(2);
    expect(JSON.parse(text)).toMatchObject({
      valid: false,
      errors: [
        { line: 2, column: 5 },
        { line: 3, column: 5, severity: 'error' },
      ],
    });
  });
});
