import { spawn, spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const MAIN = ['--disable-warning=ExperimentalWarning', 'src/cli/main.ts'];
const LINE = '{"syscall":"fs.read","path":"a"}\n';

describe.skipIf(process.platform !== 'linux')('output that cannot be written', () => {
  it.each([
    [['--help'], ''],
    [['--version'], ''],
    [['config', 'policy', 'explain', 'fs.read', 'a'], ''],
    [['config', 'policy', 'explain', '--batch'], LINE],
  ])('%j to a full disk ends with exit 1 and the reason', (argv, input) => {
    const { status, stderr } = spawnSync(process.execPath, [...MAIN, ...argv], {
      input,
      stdio: ['pipe', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
    });
    expect(stderr).toBe(
      'ERROR: The output could not be written completely\nReason: ENOSPC\nFix: Free space where standard output goes to, then run the command again\n',
    );
    expect(status).toBe(1);
  });

  it.each([[['--help']], [['man']], [['config', 'list']], [['config', 'policy', 'show']], [['completion', 'zsh']]])(
    '%j whose reader has had enough ends without a word',
    async (argv) => {
      const child = spawn(process.execPath, [...MAIN, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] });
      child.stdout.destroy();
      let stderr = '';
      child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    },
  );

  it('a batch whose reader has gone ends with exit 1 and one reason, while its input goes on', async () => {
    const child = spawn(process.execPath, [...MAIN, 'config', 'policy', 'explain', '--batch'], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on('error', () => undefined);
    child.stdout.once('data', () => child.stdout.destroy());
    const more = setInterval(() => child.stdin.write(LINE), 20);
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
    clearInterval(more);
    expect(stderr).toMatch(/^ERROR: The output could not be written completely\nReason: .*EPIPE.*\nFix: .*\n$/);
    expect(code).toBe(1);
  });
});
