import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import type { ProcessExit } from '../../../src/contracts/sandbox/test-run.ts';
import type { Ended, HostProcess } from './run-process.ts';

const FORKS = join(import.meta.dirname, 'python_forks.py');
const FLAGS = ['-I', '-B'];

const answerSchema = z.strictObject({ status: z.int(), killed: z.boolean() });

/**
 * Runs Python programs, each in a fork of one interpreter that has loaded `module` and nothing else of what they load: a start costs a fork in place of
 * the time that imports take. What a program does with an interpreter that has only just started (`sitecustomize`, a module that shadows one of the
 * standard library) is tried with a process of its own.
 */
export class PythonForks {
  readonly #home = mkdtempSync(join(tmpdir(), 'fluffy-forks-'));
  readonly #server: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: Interface;
  #count = 0;

  constructor(python: string, module: string) {
    this.#server = spawn(python, [...FLAGS, FORKS, module], {
      env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#lines = createInterface(this.#server.stdout);
  }

  /** One run at a time. */
  readonly start = async ({ args, cwd, env, input, deadlineMs }: HostProcess): Promise<Ended> => {
    if (args.slice(0, FLAGS.length).join() !== FLAGS.join()) throw new Error(`started with ${args.join(' ')}`);
    const output = join(this.#home, String((this.#count += 1)));
    writeFileSync(`${output}.in`, input);
    const job = { argv: args.slice(FLAGS.length), cwd, env, output, deadline_s: deadlineMs / 1000 };
    this.#server.stdin.write(`${JSON.stringify(job)}\n`);
    const [line] = (await once(this.#lines, 'line')) as [string];
    const { status, killed } = answerSchema.parse(JSON.parse(line));
    const exit: ProcessExit = killed
      ? { kind: 'timed-out', after_ms: deadlineMs }
      : status < 0
        ? { kind: 'signalled', signal: String(-status) }
        : { kind: 'exited', code: status };
    return { exit, output: readFileSync(`${output}.out`, 'utf8') + readFileSync(`${output}.err`, 'utf8') };
  };

  async close(): Promise<void> {
    const ended = once(this.#server, 'exit');
    this.#server.stdin.end();
    await ended;
    rmSync(this.#home, { recursive: true, force: true });
  }
}
