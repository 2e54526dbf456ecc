import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { asStream } from '../../../src/cli/output/output.ts';
import { ProcessOutput } from '../../../src/cli/output/process-output.ts';

function sink(failing: { readonly after: number; readonly code: string } | null = null) {
  const written: string[] = [];
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      if (failing !== null && written.length >= failing.after) {
        done(Object.assign(new Error(failing.code), { code: failing.code }));
        return;
      }
      written.push(chunk);
      done();
    },
  });
  return { stream, text: () => written.join('') };
}

describe('ProcessOutput', () => {
  it('lets nothing through that a terminal would act on', async () => {
    const [stdout, stderr] = [sink(), sink()];
    const output = new ProcessOutput(stdout.stream, stderr.stream);
    output.stdout('a\u001b[2J\u202eb\r\n\tc\u0007\n');
    output.stderr('\u001b]0;title\u0007\n');
    expect(await output.finish()).toBeNull();
    expect(stdout.text()).toBe('a\\x1b[2J\\u{202e}b\\r\n\tc\\x07\n');
    expect(stderr.text()).toBe('\\x1b]0;title\\x07\n');
  });

  it('knows the terminal behind each of the two by itself', () => {
    const terminal = Object.assign(sink().stream, { isTTY: true, columns: 60 });
    expect(new ProcessOutput(sink().stream, terminal)).toMatchObject({ columns: null, errorColumns: 60 });
    expect(new ProcessOutput(terminal, sink().stream)).toMatchObject({ columns: 60, errorColumns: null });
  });

  it.each([
    ['ENOSPC', /ENOSPC/],
    ['EPIPE', /closed the pipe/],
  ])('reports that it lost something to %s', async (code, why) => {
    const stdout = sink({ after: 1, code });
    const output = new ProcessOutput(stdout.stream, sink().stream);
    output.stdout('first\n');
    expect(await output.finish()).toBeNull();
    output.stdout('second\n');
    const lost = { code: 'output_lost', exitCode: 1, why: expect.stringMatching(why) as unknown };
    expect(await output.finish()).toMatchObject(lost);
    await expect(output.drained()).rejects.toMatchObject(lost);
    output.stdout('third\n');
    expect(stdout.text()).toBe('first\n');
  });

  it('does not report that standard error is gone, since nobody would read it', async () => {
    const output = new ProcessOutput(sink().stream, sink({ after: 0, code: 'EPIPE' }).stream);
    output.stderr('x\n');
    expect(await output.finish()).toBeNull();
  });
});

describe('a stream over an output', () => {
  it('fails the write that came too late, and no other way', async () => {
    const output = new ProcessOutput(sink({ after: 1, code: 'EPIPE' }).stream, sink().stream);
    const stream = asStream(output, 'stdout');
    const write = (text: string) =>
      new Promise<string>((resolve) =>
        stream.write(text, (error) => resolve(error instanceof Error ? 'lost' : 'written')),
      );
    expect(await write('a\n')).toBe('written');
    await write('b\n');
    expect(await write('c\n')).toBe('lost');
    expect(await write('d\n')).toBe('lost');
  });
});
