import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FluffyHome } from '../support/job/fluffy-home.ts';
import { replayedJob as scene } from '../support/terminal/replayed-job.ts';
import { turn } from '../support/wire/script.ts';

const SMALL = { columns: 80, rows: 24 };
const PROMPT = /^\[strict\] \[idle\] >$/m;
/** Reports of the focus, keys of the kitty protocol, and the mode of pastes, which the shell has too. */
const MODES = /\x1b\[(?:\?1004[hl]|>5u|<u)/;
const PASTES_OFF = '\x1b[?2004l';

describe('as a job of a shell', () => {
  it('is stopped in the background, goes on in front, and ends there without touching the terminal of the shell', async () => {
    const { openShell } = scene([turn({ text: 'One answer.' })]);
    const terminal = openShell(SMALL);
    await terminal.shows(/^shell\$$/m);
    terminal.enter('fluffy');
    await terminal.shows(PROMPT);
    terminal.report('\x1b[?0u');
    terminal.press('C-z');
    await terminal.shows(/Stopped/);
    const stopped = terminal.bytes().length;
    terminal.enter('bg; wait %1; echo "it stopped: $?"');
    // 128 and SIGTTOU.
    await terminal.shows(/it stopped: 150/);
    expect(terminal.bytes().slice(stopped)).not.toMatch(MODES);

    terminal.enter('fg');
    await expect.poll(() => terminal.bytes().slice(stopped)).toMatch(MODES);
    await terminal.shows(PROMPT);
    terminal.enter('What is it?');
    await terminal.shows(/One answer\./);
    await terminal.shows(/^Done\./m);

    terminal.press('C-z');
    await terminal.shows(/Stopped[^]*Stopped[^]*Stopped/);
    const again = terminal.bytes().length;
    terminal.enter('kill %1; while kill -0 %1; do sleep 0.1; done');
    await terminal.shows(/Terminated/);
    terminal.type('echo typedx');
    terminal.press('BSpace');
    await terminal.shows(/shell\$ echo typed$/m);
    const written = terminal.bytes().slice(again);
    expect(written).not.toMatch(MODES);
    // One for each line that the shell has read.
    expect(written.split(PASTES_OFF)).toHaveLength(2);
    // A terminal in the mode that it had for fluffy's start would show what is typed itself.
    expect(written).toContain('typedx\b\x1b[K');
  });

  it.each(['SIGTERM', 'SIGHUP', 'SIGUSR2'] as const)('in front, ended by %s, restores the terminal', async (signal) => {
    const { openShell, home } = scene([]);
    const terminal = openShell(SMALL);
    await terminal.shows(/^shell\$$/m);
    terminal.enter('fluffy; echo "it ended: $?"');
    await terminal.shows(PROMPT);
    terminal.report('\x1b[?0u');
    await expect.poll(() => terminal.bytes()).toContain('\x1b[>5u');
    process.kill(pidIn(home), signal);
    await terminal.shows(/it ended: 143/);
    const [, after = ''] = terminal.bytes().split('\x1b[>5u');
    for (const off of ['\x1b[<u', '\x1b[?1004l', PASTES_OFF]) expect(after).toContain(off);
  });

  it('ends when its terminal is gone, also if no SIGHUP says so', async () => {
    const { openShell, home } = scene([]);
    const terminal = openShell(SMALL);
    await terminal.shows(/^shell\$$/m);
    // In a session of its own it gets no signal of this terminal.
    terminal.enter('setsid --wait sh ~/fluffy.sh');
    await terminal.shows(PROMPT);
    const pid = pidIn(home);
    expect(isAlive(pid)).toBe(true);
    terminal.close();
    try {
      await expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false);
    } finally {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    }
  });

  it('leaves at a Ctrl-D from before it reads the terminal', async () => {
    const { openShell } = scene([]);
    const terminal = openShell(SMALL);
    await terminal.shows(/^shell\$$/m);
    terminal.enter('read -r go; fluffy; echo "it ended: $?"');
    terminal.enter('go');
    terminal.press('C-d');
    await terminal.shows(/it ended: 0/);
  });
});

function pidIn({ env }: FluffyHome): number {
  return Number(readFileSync(join(env['HOME'] ?? '', 'pid'), 'utf8'));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
