import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sandboxIdSchema } from '../../../src/contracts/ids.ts';
import type { CommandResult, ShellRunResult } from '../../../src/contracts/model/tool-call.ts';
import { createToolContext } from '../../../tool-plugins/sdk/tool-context.ts';
import { shellRunTool } from '../../../tool-plugins/shell-tool/run-tool.ts';

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), 'shell-tool-'));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

function program(path: string, says: string): void {
  mkdirSync(join(workspace, path, '..'), { recursive: true });
  writeFileSync(join(workspace, path), `#!/bin/sh\necho ${says}\n`);
  chmodSync(join(workspace, path), 0o755);
}

async function run(input: object): Promise<readonly CommandResult[]> {
  const call = { sandbox_id: sandboxIdSchema.parse('x_sandbox001'), workspace, session_mode: 'strict' } as const;
  const env = { PATH: process.env['PATH'] ?? '' };
  const { signal } = new AbortController();
  const context = createToolContext({ call, pluginName: 'shell-tool', env, signal });
  const parsed = shellRunTool.definition.input.parse({ timeout_ms: 10_000, ...input });
  return ((await shellRunTool.handler(parsed, context)) as ShellRunResult).results;
}

const exits = (results: readonly CommandResult[]) =>
  results.map(({ exit }) => (exit.kind === 'exited' ? exit.code : exit.kind));

describe('commands in a workspace', () => {
  it('run one after the other until one fails', async () => {
    const commands = [['true'], ['sh', '-c', 'exit 3'], ['true']];
    expect(exits(await run({ commands }))).toEqual([0, 3]);
    expect(exits(await run({ commands: [['no-such-program'], ['true']] }))).toEqual(['not-started']);
  });

  it('read the same standard input, each from its beginning', async () => {
    const results = await run({ commands: [['cat'], ['cat']], stdin: 'in' });
    expect(results.map(({ stdout }) => stdout)).toEqual(['in', 'in']);
  });

  it('share one time limit', async () => {
    const sleep = ['node', '-e', 'setTimeout(() => {}, 60_000)'];
    expect(exits(await run({ commands: [['true'], sleep, ['true']], timeout_ms: 500 }))).toEqual([0, 'timed-out']);
  });

  it('keep the beginning and the end of a long output, together no more than one message can hold', async () => {
    const shout = ['node', '-e', 'process.stdout.write("a".repeat(3_000_000) + "z")'];
    for (const count of [1, 4]) {
      const results = await run({ commands: Array.from({ length: count }, () => shout) });
      expect(results).toHaveLength(count);
      expect(results.every(({ truncated, stdout }) => truncated && stdout.endsWith('z'))).toBe(true);
      expect(results.reduce((sum, { stdout }) => sum + stdout.length, 0)).toBeLessThan(1.1 * 1024 * 1024);
    }
  });
});

describe('the working directory', () => {
  it('is a directory of the workspace', async () => {
    mkdirSync(join(workspace, 'packages/a'), { recursive: true });
    const [result] = await run({ commands: [['pwd']], cwd: 'packages/a' });
    expect(result?.stdout.trim()).toBe(join(workspace, 'packages/a'));
  });

  it.each(['..', '/', 'out'])('is not %s', async (cwd) => {
    symlinkSync('/', join(workspace, 'out'));
    await expect(run({ commands: [['pwd']], cwd })).rejects.toMatchObject({ code: 'path_refused' });
  });
});

describe("programs of the host's toolchains", () => {
  it('are found by name, with the variables that they need, behind those of the system', async () => {
    program('host/bin/host-tool', '"$TOOL_HOME"');
    program('host/bin/ls', 'not this one');
    program('node_modules/.bin/host-tool', 'nor this one');
    const toolchains = { path: [join(workspace, 'host/bin')], env: { TOOL_HOME: '/opt/tool' } };
    const [own, system] = await run({ commands: [['host-tool'], ['ls', 'host']], toolchains });
    expect([own?.stdout, system?.stdout]).toEqual(['/opt/tool\n', 'bin\n']);
  });

  it('are those of the system no more where the project has a Node of its own', async () => {
    program('host/first/ls', 'this one');
    const toolchains = { first: [join(workspace, 'host/first')], path: [], env: {} };
    expect((await run({ commands: [['ls']], toolchains }))[0]?.stdout).toBe('this one\n');
  });

  it('of Go have a build cache that can be written, with what is in the one of the host', async () => {
    mkdirSync(join(workspace, 'cache/ab'), { recursive: true });
    writeFileSync(join(workspace, 'cache/ab/built'), 'built');
    writeFileSync(join(workspace, 'cache/trim.txt'), '0');
    const toolchains = { path: [], env: { GOCACHE: join(workspace, 'cache') } };
    const look = 'echo more >$GOCACHE/ab/more 2>&1; cat $GOCACHE/ab/*; cat $GOCACHE/trim.txt';
    const [go, other] = await run({
      commands: [
        ['sh', '-c', `: go; ${look}`],
        ['sh', '-c', look],
      ],
      toolchains,
    });
    expect(go?.stdout).toMatch(/^builtmore\n\d{10}$/);
    expect(other?.stdout).toMatch(/^builtmore\n/);
    expect(readdirSync(join(workspace, 'cache/ab'))).toEqual(['built']);
    expect(exits(await run({ commands: [['sh', '-c', 'ls $GOCACHE | wc -l | grep -qw 0']], toolchains }))).toEqual([0]);
  });
});

describe("the project's own programs", () => {
  it('are found by name, the nearest first', async () => {
    program('node_modules/.bin/own-tool', 'root');
    program('packages/a/node_modules/.bin/own-tool', 'nearest');
    program('.venv/bin/own-python-tool', 'venv');
    const commands = [['own-tool'], ['own-python-tool']];
    const said = async (cwd: string) => (await run({ commands, cwd })).map(({ stdout }) => stdout.trim());
    expect(await said('packages/a')).toEqual(['nearest', 'venv']);
    expect(await said('')).toEqual(['root', 'venv']);
  });

  it('of Python are those of the nearest virtual environment, as in an activated shell', async () => {
    for (const [home, says] of [
      ['.venv', 'root'],
      ['api/venv', 'nearest'],
    ] as const) {
      program(`${home}/bin/python3`, `${says} "$0" "$1"`);
      program(`${home}/bin/ls`, 'not this one');
      writeFileSync(join(workspace, home, 'pyvenv.cfg'), '');
    }
    const commands = [
      ['python3', 'a b'],
      ['sh', '-c', 'python3 "$VIRTUAL_ENV"'],
      ['ls', 'api'],
    ];
    const said = async (cwd: string) => (await run({ commands, cwd })).map(({ stdout }) => stdout.trim());
    const [of, there] = [join(workspace, '.venv'), join(workspace, 'api/venv')];
    expect(await said('')).toEqual([`root ${of}/bin/python3 a b`, `root ${of}/bin/python3 ${of}`, 'venv']);
    rmSync(join(workspace, 'api/venv/bin/ls'));
    mkdirSync(join(workspace, 'api/api'));
    expect((await said('api')).slice(0, 2)).toEqual([
      `nearest ${there}/bin/python3 a b`,
      `nearest ${there}/bin/python3 ${there}`,
    ]);
  });

  it('of Python are left out where their interpreter is not in the sandbox', async () => {
    mkdirSync(join(workspace, 'venv/bin'), { recursive: true });
    writeFileSync(join(workspace, 'venv/pyvenv.cfg'), '');
    symlinkSync('/nowhere/python3', join(workspace, 'venv/bin/python3'));
    const [found] = await run({ commands: [['sh', '-c', 'command -v python3; echo "$VIRTUAL_ENV"']] });
    expect(found?.stdout.trim().split('\n').at(-1)).toBe(join(workspace, 'venv'));
    expect(found?.stdout).not.toMatch(/\/python-\w+\/python3$/m);
  });

  it('never take the place of one of the system', async () => {
    program('node_modules/.bin/sh', 'mine');
    const [result] = await run({ commands: [['sh', '-c', 'echo system']] });
    expect(result?.stdout.trim()).toBe('system');
  });
});
