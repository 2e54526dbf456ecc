import { createHash } from 'node:crypto';
import { chmod, lchown, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { patchResultSchema } from '../../../src/contracts/model/tool-call.ts';
import type { ToolOperation, ToolSandboxResult } from '../../../src/contracts/ports/sandboxes.ts';
import { applyVerified } from '../../../src/lib/diff/unified-diff.ts';
import { UID } from '../support/guard-fixture.ts';
import { makeSandboxImage, startSandboxFixture } from './sandbox-fixture.ts';
import type { Answered, ManagerProcess, SandboxFixture } from './sandbox-fixture.ts';

let image: Awaited<ReturnType<typeof makeSandboxImage>>;
let fixture: SandboxFixture;
let manager: ManagerProcess;
beforeAll(async () => {
  image = await makeSandboxImage();
});
afterAll(() => image.remove());
beforeEach(async () => {
  fixture = await startSandboxFixture(image.id);
  manager = await fixture.start();
});
afterEach(() => fixture.close());

const NOTHING = { containers: 0, volumes: 0, directories: [] };
const gone = () => expect.poll(() => fixture.leftovers(), { interval: 50 }).toEqual(NOTHING);

const tool = (more: Partial<ToolOperation> = {}): Promise<Answered<ToolSandboxResult>> =>
  manager.ask({
    call: 'tool',
    operation: { program: 'tool:fs', slot: null, method: 'fs.write', params: {}, deadlineMs: 20_000, ...more },
  });

const attack = (method: string, deadlineMs = 20_000) => tool({ program: 'tool:git', slot: 0, method, deadlineMs });

interface Ran {
  readonly kind: string;
  readonly result: {
    readonly exit: unknown;
    readonly report: string | null;
    readonly output: string;
    readonly durationMs: number;
  };
}

const runTests = (script: string, more: object = {}): Promise<Answered<Ran>> =>
  manager.ask({
    call: 'test',
    operation: {
      slot: 0,
      job: {
        argv: ['/usr/local/bin/node', '-e', script],
        env: { PATH: '/usr/local/bin', A: 'b' },
        cwd: '',
        input: 'from the kernel',
        reportName: 'report.xml',
        image: 'node',
      },
      deadlineMs: 20_000,
      maxReportBytes: 1000,
      ...more,
    },
  });

const base = (content: string) => ({ content, sha256: createHash('sha256').update(content).digest('hex') });
const upper = (...names: string[]) => join(fixture.guard.state, 'slots/0/upper', ...names);

describe('patch mode', () => {
  test('a write comes back as a patch that leads where it says, from a sandbox without a workspace', async () => {
    const params = { path: 'a.txt', base: base('one\r\ntwo\n'), content: 'one\r\n2\n' };
    const { result } = await tool({ params });
    expect(result).toMatchObject({ kind: 'ok' });
    const { patch, sha256 } = patchResultSchema.parse(result.kind === 'ok' ? result.result : null);
    expect(applyVerified('one\r\ntwo\n', patch, sha256)).toEqual({ kind: 'applied', text: 'one\r\n2\n' });
    await gone();
    expect(manager.events.map((event) => event.kind)).toEqual(['created', 'destroyed']);
    expect(manager.events[0]).toMatchObject({ peer: { uid: UID } });
  });

  test('a base that is not what its digest says is a tool error', async () => {
    const params = { path: 'a', base: { ...base('x'), content: 'y' }, content: 'z' };
    expect((await tool({ params })).result).toMatchObject({ kind: 'tool-error', code: 'sandbox_failed' });
  });

  test('a standby that was made before the call serves it, and is replaced', async () => {
    const params = { path: 'a.txt', base: null, content: 'x\n' };
    await manager.ask({ call: 'warm' });
    const used = new Set<string | null>();
    for (let i = 0; i < 3; i += 1) {
      await expect
        .poll(() => manager.events.filter(({ kind, program }) => kind === 'created' && program === 'tool:fs').length, {
          timeout: 60_000,
        })
        .toBe(1 + i);
      const standing = manager.events.filter(({ kind }) => kind === 'created').map(({ sandbox }) => sandbox);
      const answered = await tool({ params });
      expect(answered.result.kind).toBe('ok');
      expect(standing).toContain(answered.result.sandbox);
      used.add(answered.result.sandbox);
    }
    expect(used.size).toBe(3);
    await manager.ask({ call: 'close' });
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });
});

describe('on the workspace', () => {
  test('deletes and moves are in the slot, not in the project, and can be read at once', async () => {
    const project = fixture.guard.project;
    await mkdir(join(project, 'dir'));
    await writeFile(join(project, 'dir/inside.txt'), 'inside\n');
    for (const path of ['dir', 'dir/inside.txt']) await lchown(join(project, path), UID, UID);
    expect((await tool({ slot: 0, method: 'fs.delete', params: { path: 'gone.txt' } })).result).toMatchObject({
      kind: 'ok',
      result: { entries: 1 },
    });
    expect(await readdir(upper())).toEqual(['gone.txt']);
    expect((await tool({ slot: 1, method: 'fs.move', params: { from: 'dir', to: 'moved' } })).result).toMatchObject({
      kind: 'ok',
    });
    expect(await readFile(join(fixture.guard.state, 'slots/1/upper/moved/inside.txt'), 'utf8')).toBe('inside\n');
    expect(await readdir(project)).toEqual(['a.txt', 'dir', 'gone.txt']);
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });

  test('a command runs there, without shell, input or network', async () => {
    const script =
      'process.stdin.on("data", () => {}).on("end", () => console.log(JSON.stringify([process.cwd(), process.argv.slice(1), require("fs").readdirSync("/sys/class/net")])))';
    const { result } = await tool({
      program: 'tool:shell',
      slot: 0,
      method: 'shell.run',
      params: { commands: [['node', '-e', script, '$(id)', 'a b']], timeout_ms: 5000 },
    });
    expect(result).toMatchObject({ kind: 'ok', result: { results: [{ exit: { kind: 'exited', code: 0 } }] } });
    const { stdout } = (result as { result: { results: [{ stdout: string }] } }).result.results[0];
    expect(JSON.parse(stdout)).toEqual([fixture.guard.project, ['$(id)', 'a b'], ['lo']]);
  });

  test('a server on localhost is reached there by that name, and the name of the machine is known', async () => {
    const script = `
      const server = require('http').createServer((_, answer) => answer.end('here')).listen(0, 'localhost', async () => {
        const answer = await fetch('http://localhost:' + server.address().port);
        const { address } = await require('dns').promises.lookup(require('os').hostname());
        console.log(JSON.stringify([await answer.text(), address]));
        process.exit();
      });`;
    const { result } = await tool({
      program: 'tool:shell',
      slot: 0,
      method: 'shell.run',
      params: { commands: [['node', '-e', script]], timeout_ms: 10_000 },
    });
    const { stdout } = (result as { result: { results: [{ stdout: string }] } }).result.results[0];
    expect(JSON.parse(stdout)).toEqual(['here', '127.0.1.1']);
  });

  test('a command that overruns is killed with everything it started', async () => {
    const script =
      'require("child_process").spawn("node", ["-e", "setInterval(() => {}, 1000)"], {stdio: "inherit"}); setInterval(() => {}, 1000)';
    const { result } = await tool({
      program: 'tool:shell',
      slot: 0,
      method: 'shell.run',
      params: { commands: [['node', '-e', script]], timeout_ms: 1000 },
    });
    expect(result).toMatchObject({
      kind: 'ok',
      result: { results: [{ exit: { kind: 'timed-out', after_ms: 1000 } }] },
    });
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });
});

describe('a hostile sandbox fails alone', () => {
  afterEach(async () => {
    expect(await fixture.leftovers()).toEqual(NOTHING);
    expect((await tool({ params: { path: 'a', base: null, content: '' } })).result.kind).toBe('ok');
  });

  test.each([
    ['hangs', 'hang', { kind: 'timed-out', afterMs: 1500 }],
    ['spins', 'spin', { kind: 'timed-out', afterMs: 1500 }],
    ['floods the kernel with events', 'flood', { kind: 'timed-out', afterMs: 1500 }],
    ['talks without end', 'talk', { kind: 'timed-out', afterMs: 1500 }],
  ])('that %s is killed at its deadline', async (_name, method, expected) => {
    expect((await attack(method, 1500)).result).toMatchObject(expected);
  });

  test.each([
    ['takes all memory', 'memory', { kind: 'out-of-memory' }],
    ['crashes', 'crash', { kind: 'failed', reason: expect.stringMatching(/the program ended: SIG/) as string }],
    ['sends garbage frames', 'garbage', { kind: 'failed', reason: expect.stringMatching(/frame too large/) as string }],
    ['fills the disk', 'disk', { kind: 'failed', reason: 'it wrote more than a sandbox may' }],
  ])('that %s', async (_name, method, expected) => {
    expect((await attack(method)).result).toMatchObject(expected);
    expect(manager.events.at(-1)).toMatchObject({ kind: 'destroyed', leftovers: [] });
  });

  test('that forks without end is stopped by the number of processes it may have', async () => {
    const { result } = await attack('fork');
    expect(result).toMatchObject({ kind: 'ok', result: { refused: 'EAGAIN' } });
    expect((result as { result: { started: number } }).result.started).toBeLessThan(100);
  });

  test('gets no second connection', async () => {
    expect((await attack('second')).result).toMatchObject({ kind: 'ok', result: { second: 'refused' } });
  });
});

describe('a test run', () => {
  test('is the runner itself: its environment, directory, exit, report and output', async () => {
    const script = `
      const fs = require('fs');
      fs.writeFileSync('/var/local/report.xml', JSON.stringify({
        pid: process.pid, cwd: process.cwd(), env: process.env, extra: fs.readFileSync(0, 'utf8'), left: fs.readdirSync('/var/local'),
        others: fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)), sockets: fs.existsSync('/run/fluffy'),
      }));
      fs.writeFileSync('made-by-test.txt', '');
      console.log('to stdout'); console.error('to stderr');
      process.exitCode = 3;`;
    const { result } = await runTests(script);
    expect(result).toMatchObject({ kind: 'ran', result: { exit: { kind: 'exited', code: 3 } } });
    expect(JSON.parse(result.result.report ?? '')).toEqual({
      pid: 1,
      cwd: fixture.guard.project,
      env: { PATH: '/usr/local/bin', A: 'b' },
      extra: 'from the kernel',
      left: [],
      others: ['1'],
      sockets: false,
    });
    expect(result.result.output).toContain('to stdout\n');
    expect(result.result.output).toContain('to stderr\n');
    expect(await readdir(upper())).toEqual(['made-by-test.txt']);
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });

  test.each([
    ['exits by a signal', 'process.abort()', 20_000, { kind: 'signalled' }],
    ['hangs', 'console.log("waiting"); setInterval(() => {}, 1000)', 1500, { kind: 'timed-out', after_ms: 1500 }],
    ['takes all memory', 'const a = []; for (;;) a.push(Buffer.alloc(16777216, 1))', 60_000, { kind: 'out-of-memory' }],
    [
      'takes all memory in a child',
      'require("child_process").spawnSync(process.execPath, ["-e", "const a = []; for (;;) a.push(Buffer.alloc(16777216, 1))"]); process.exit(1)',
      60_000,
      { kind: 'out-of-memory' },
    ],
  ])('that %s', async (_name, script, deadlineMs, exit) => {
    const { result } = await runTests(script, { deadlineMs });
    expect(result).toMatchObject({ kind: 'ran', result: { exit, report: null } });
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });

  test.each([
    ['a link', 'fs.symlinkSync("/etc/passwd", "/var/local/report.xml")'],
    ['a directory', 'fs.mkdirSync("/var/local/report.xml")'],
    ['a locked directory above', 'fs.mkdirSync("/var/local/x/y", {recursive: true}); fs.chmodSync("/var/local/x", 0)'],
    ['a locked directory around', 'fs.writeFileSync("/var/local/report.xml", ""); fs.chmodSync("/var/local", 0)'],
  ])('whose report is %s: there is none, and nothing is left', async (_name, script) => {
    const { result } = await runTests(`const fs = require('fs'); ${script}`);
    expect(result).toMatchObject({ kind: 'ran', result: { exit: { kind: 'exited', code: 0 }, report: null } });
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });

  test('whose output never ends keeps its head and tail', async () => {
    const script = `const say = (text) => require('fs').writeSync(1, text);
      say('the beginning\\n'); for (let i = 0; i < 3000; i++) say('x'.repeat(1023) + '\\n'); say('the end');`;
    const { result } = await runTests(script);
    expect(result).toMatchObject({ result: { exit: { kind: 'exited', code: 0 } } });
    expect(result.result.output.length).toBeLessThan(300 * 1024);
    expect(result.result.output.startsWith('the beginning\n')).toBe(true);
    expect(result.result.output.endsWith('the end')).toBe(true);
    expect(result.result.output).toMatch(/bytes left out/);
  });

  test('whose output is endless is killed at its deadline, and its log on disk is bounded', async () => {
    const script = `const line = 'x'.repeat(65535) + '\\n'; for (;;) require('fs').writeSync(1, line);`;
    const { result } = await runTests(script, { deadlineMs: 3000 });
    expect(result).toMatchObject({ kind: 'ran', result: { exit: { kind: 'timed-out' } } });
    expect(result.result.output.length).toBeLessThan(300 * 1024);
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });

  test('that leaves daemons behind: they end with it', async () => {
    const script = `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => require("fs").appendFileSync("ticks", "x"), 10)'], { detached: true, stdio: 'ignore' }).unref();
      setTimeout(() => process.exit(0), 500)`;
    const { result } = await runTests(script);
    expect(result).toMatchObject({ kind: 'ran', result: { exit: { kind: 'exited', code: 0 } } });
    const before = await readFile(upper('ticks'), 'utf8');
    await new Promise((resolve) => setImmediate(resolve));
    expect(await readFile(upper('ticks'), 'utf8')).toBe(before);
    expect(await fixture.leftovers()).toEqual(NOTHING);
  });
});

describe('a provider', () => {
  test('answers within the limits of its template', async () => {
    const request = {
      model: 'file',
      system: '',
      messages: [],
      tools: [],
      max_output_tokens: 1_000,
      deadline_ms: 10_000,
      replay_turn: { text: 'hello', calls: [{ tool: 'fs.read', input: { path: 'a' } }] },
    };
    const { result } = await manager.ask<{ type: string }[]>({ call: 'chat', provider: 'replay', request });
    expect(result.map((event) => event.type)).toContain('text_delta');
    expect(result.at(-1)).toMatchObject({ type: 'done', stop: 'tool_calls' });
    await gone();
  });
});

describe('after kill -9 of the kernel', () => {
  test('nothing of its sandboxes survives the next start', async () => {
    await manager.ask({ call: 'warm' });
    const running = [
      tool({ program: 'tool:git', slot: 0, method: 'hang', deadlineMs: 100_000 }),
      runTests('require("fs").mkdirSync("/var/local/x"); setInterval(() => {}, 1000)', {
        slot: 1,
        deadlineMs: 100_000,
      }),
    ];
    await expect.poll(() => manager.events.filter(({ kind }) => kind === 'created').length).toBe(4);
    await manager.kill();
    await Promise.allSettled(running);
    const left = await fixture.leftovers();
    expect(left.containers).toBe(4);
    expect(left.volumes).toBe(2);

    manager = await fixture.start();
    expect((await manager.ask<number>({ call: 'collect' })).result).toBe(4);
    expect(await fixture.leftovers()).toEqual(NOTHING);
    expect((await manager.ask<number>({ call: 'collect' })).result).toBe(0);
    expect((await tool({ slot: 0, method: 'fs.delete', params: { path: 'gone.txt' } })).result.kind).toBe('ok');
  });
});

test('directories of the manager are for its own user alone', async () => {
  await chmod(fixture.guard.run, 0o755);
  const answered = tool({ program: 'tool:git', slot: 0, method: 'hang', deadlineMs: 1500 });
  await expect.poll(() => manager.events.length).toBe(1);
  const id = manager.events[0]?.sandbox ?? '';
  const { stat } = await import('node:fs/promises');
  expect((await stat(join(fixture.guard.run, 'sbx', id))).mode & 0o777).toBe(0o700);
  await answered;
});
