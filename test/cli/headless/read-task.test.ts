import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { MAX_PIPED_BYTES, readPipedInput, refuseUnreadableInput } from '../../../src/cli/headless/read-stdin.ts';
import { readTask, refuseNoTask } from '../../../src/cli/headless/read-task.ts';
import { O_PATH } from '../../../src/platform/fs/descriptors.ts';

function reading(task: string, resume: { session: string; fork: boolean } | null = null) {
  const stdin = new PassThrough();
  const said: string[] = [];
  const timers: (() => void)[] = [];
  const read = readTask({
    args: { task, resume },
    stdin: stdin as unknown as NodeJS.ReadStream,
    after: (_, callback) => {
      timers.push(callback);
      return () => void timers.splice(0);
    },
    onProgress: (text) => said.push(text),
  });
  return { stdin, said, timers, read };
}

describe('piped input', () => {
  it('is read to its end, however long it pauses, and what is waited for is said', async () => {
    const { stdin, said, timers, read } = reading('why');
    stdin.write('first half, ');
    let ended = false;
    void read.then(() => (ended = true));
    for (const timer of timers) timer();
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(ended).toBe(false);
    expect(said).toEqual([expect.stringContaining('< /dev/null')]);
    stdin.end('second half');
    expect(await read).toEqual({ text: 'why', context: 'first half, second half' });
    expect(timers).toEqual([]);
  });

  it('is the task where there is none', async () => {
    const { stdin, read } = reading('');
    stdin.end('\nAdd a test\n');
    expect(await read).toEqual({ text: 'Add a test' });
  });

  it('is not waited for where it is a terminal', async () => {
    expect(await readPipedInput(Object.assign(new PassThrough(), { isTTY: true }))).toEqual({ kind: 'none' });
  });

  it.each([
    [MAX_PIPED_BYTES, 'text'],
    [MAX_PIPED_BYTES + 1, 'too-large'],
  ])('of %i bytes is %s', async (bytes, kind) => {
    const stdin = new PassThrough();
    void readPipedInput(stdin);
    const read = readPipedInput(
      (function* () {
        for (let left = bytes; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536), 'x');
      })() as never,
    );
    expect((await read).kind).toBe(kind);
    stdin.end();
  });

  it.each<[string, string, string, RegExp]>([
    ['no task', '', '', /no task/],
    ['more than 8 MiB', 'why', 'x'.repeat(MAX_PIPED_BYTES + 1), /larger than 8 MiB/],
  ])('%s is a usage error', async (_, task, piped, why) => {
    const { stdin, read } = reading(task);
    stdin.end(piped);
    await expect(read).rejects.toMatchObject({
      code: 'usage',
      exitCode: 2,
      why: expect.stringMatching(why) as unknown,
    });
  });

  it('is taken whole, as a task and as a context', async () => {
    const long = 'x'.repeat(1_000_000);
    const alone = reading('');
    alone.stdin.end(long);
    expect(await alone.read).toEqual({ text: long });
    const beside = reading('why');
    beside.stdin.end(long);
    expect(await beside.read).toEqual({ text: 'why', context: long });
  });

  it('may be empty where a session goes on', async () => {
    const { stdin, read } = reading('', { session: 'latest', fork: false });
    stdin.end();
    expect(await read).toEqual({ text: 'Go on.' });
  });
});

it.each([
  ['at a terminal', { task: ' ', resume: null }, true, /there is no task/],
  ['at a terminal, to go on', { task: '', resume: { session: 'latest', fork: false } }, true, null],
  ['with something piped', { task: '', resume: null }, false, null],
])('no task %s is refused before anything else is looked at, or not at all', (_where, args, isTTY, refusal) => {
  const refuse = () => refuseNoTask(args, { isTTY });
  if (refusal === null) expect(refuse).not.toThrow();
  else
    expect(refuse).toThrow(expect.objectContaining({ code: 'usage', why: expect.stringMatching(refusal) as string }));
});

describe('an input that has no text', () => {
  it.each([
    ['-p', 'why', '--model', 'replay/turns.jsonl'],
    ['config', 'policy', 'explain', '--batch'],
  ])('such as a directory is refused: %s %s', (...argv) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', 'src/cli/main.ts', ...argv],
      { stdio: [openSync('/tmp', 'r'), 'pipe', 'pipe'], encoding: 'utf8' },
    );
    expect(stdout + stderr).toContain('standard input is a directory');
    expect(stdout + stderr).toContain('< /dev/null');
    expect(status).toBe(2);
  });

  it('such as a directory is refused where it is read', async () => {
    const stdin = Object.assign(new PassThrough(), { fd: openSync('/tmp', 'r') });
    await expect(readPipedInput(stdin)).rejects.toMatchObject({ code: 'usage' });
    closeSync(stdin.fd);
  });

  it.runIf(process.getuid?.() === 0)('such as a disk is refused', () => {
    const directory = mkdtempSync(join(tmpdir(), 'fluffy-disk-'));
    const disk = join(directory, 'disk');
    const made = spawnSync('mknod', [disk, 'b', '7', '0']);
    // Nothing is read: the disk need not be there. A container may refuse to make one.
    const fd = made.status === 0 ? openSync(disk, O_PATH) : null;
    rmSync(directory, { recursive: true });
    if (fd === null) return;
    expect(() => refuseUnreadableInput(Object.assign(new PassThrough(), { fd }))).toThrow(
      expect.objectContaining({
        code: 'usage',
        why: 'standard input is a block device, which has no text to read',
      }) as Error,
    );
    closeSync(fd);
  });

  it.each(['EISDIR', 'EBADF'])('because it cannot be read (%s) is a usage error', async (code) => {
    const { stdin, read } = reading('why');
    stdin.destroy(Object.assign(new Error(code), { code }));
    await expect(read).rejects.toMatchObject({ code: 'usage', why: `standard input cannot be read (${code})` });
  });
});
