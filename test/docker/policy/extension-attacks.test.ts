import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SANDBOX_PROGRAMS } from '../../../src/contracts/sandbox/sandbox-programs.ts';
import { runInContainer } from '../run-in-container.ts';
import { ENGINE } from '../support/guard-fixture.ts';
import { policyImage, startRunner } from './runner-fixture.ts';
import type { RunnerFixture } from './runner-fixture.ts';

const seccomp = resolve(import.meta.dirname, '../../../seccomp/strict.json');
const FILE = '/opt/fluffy/policy-sandbox/main.mjs';

describe('an extension reaches nothing outside of itself', () => {
  let runner: RunnerFixture;
  beforeAll(async () => {
    runner = await startRunner();
  });
  afterAll(() => runner.close());

  /** Tries it while it is loaded, where it has seconds; says what came of it when it is asked. */
  const trying = (attempt: string): string => `let said = 'nothing';
    try {
      said = 'worked ' + String(await (async () => { ${attempt} })());
    } catch (error) {
      said = 'refused ' + String(error);
    }
    const printable = said.replaceAll(/[^ -~]/g, ' ').slice(0, 400);
    export default () => ({ decision: said.startsWith('worked') ? 'allow' : 'deny', reason: printable });`;

  test.each([
    ['a file', `return (await import('node:fs')).readFileSync('${FILE}', 'utf8').length;`],
    ['a file, as a module', `return (await import('file://${FILE}')).default;`],
    ['a file, as text', `return (await import('file://${FILE}', { with: { type: 'text' } })).default.length;`],
    ['a file, by fetch', `return (await fetch('file://${FILE}')).status;`],
    ['the directory of the kernel’s socket', "return (await import('node:fs')).readdirSync('/run/fluffy');"],
    [
      'the kernel’s socket',
      "const net = await import('node:net'); return await new Promise((done, fail) => net.connect('/run/fluffy/kernel.sock', () => done('connected')).on('error', fail));",
    ],
    ['the environment', "return Object.keys((await import('node:process')).default.env);"],
    ['a host', "return (await fetch('http://127.0.0.1:80/')).status;"],
    [
      'a host, by TCP',
      "const net = await import('node:net'); return await new Promise((done, fail) => net.connect(80, '127.0.0.1', () => done('connected')).on('error', fail));",
    ],
    ['a program', "return (await import('node:child_process')).execFileSync('/bin/ls', ['/']).toString();"],
    ['a library', "return typeof Deno.dlopen('/lib/x86_64-linux-gnu/libc.so.6', {});"],
    ['Deno itself', 'return Deno.version.deno;'],
    ['remote code', "return (await import('https://example.invalid/a.ts')).default;"],
    ['a package', "return (await import('npm:zod')).default;"],
    ['a channel to other workers', "return new BroadcastChannel('a').name;"],
    ['another worker', "return typeof new Worker('data:application/javascript,postMessage(1)', { type: 'module' });"],
    ['what it may do, by asking', "return (await navigator.permissions.request({ name: 'read' })).state;"],
  ])('not %s', async (_what, attempt) => {
    await runner.follow({ judge: trying(attempt) });
    const { decision, reasons } = await runner.ask();
    expect({ decision, reasons: reasons.join() }).toEqual({
      decision: 'deny',
      reasons: expect.not.stringContaining('worked') as string,
    });
    expect(reasons.join()).toMatch(/refused|cannot be loaded|no answer/);
  });

  test('and the same extension is asked when it tries nothing of it', async () => {
    await runner.follow({ judge: trying('return 1 + 1;') });
    expect((await runner.answered()).results).toMatchObject([{ action: 'allow', reason: 'worked 2' }]);
  });
});

/** The image's Deno with the guard's own arguments and another program: what is left when nothing has been taken out of its globals. */
describe('without what the program removes, Deno refuses', () => {
  const ATTEMPTS: Readonly<Record<string, string>> = {
    'a file': `Deno.readTextFileSync('${FILE}')`,
    'a directory': "[...Deno.readDirSync('/')]",
    'a new file': "Deno.writeTextFileSync('/tmp/a', '')",
    'the environment': "Deno.env.get('HOME')",
    'a host': "await Deno.connect({ hostname: '127.0.0.1', port: 80 })",
    'a listener': 'Deno.listen({ port: 0 })',
    'a socket': "await Deno.connect({ transport: 'unix', path: '/tmp/other.sock' })",
    'a program': "new Deno.Command('/bin/ls').outputSync()",
    'a library': "Deno.dlopen('/lib/x86_64-linux-gnu/libc.so.6', {})",
    'the system': 'Deno.hostname()',
    'remote code': "await import('https://example.invalid/a.ts')",
    'more than it has':
      "(await Deno.permissions.request({ name: 'read' })).state === 'granted' || (() => { throw new Error('denied'); })()",
  };
  const tries = (where: string): string =>
    Object.entries(ATTEMPTS)
      .map(
        ([what, code]) =>
          `try { ${code}; results.push(['${where}', ${JSON.stringify(what)}, 'worked']); } catch { results.push(['${where}', ${JSON.stringify(what)}, 'refused']); }`,
      )
      .join('\n');
  const PROGRAM = `
    const results = [];
    ${tries('program')}
    const inside = ${JSON.stringify(`const results = [];\n${tries('worker')}\npostMessage(results);`)};
    const url = URL.createObjectURL(new Blob([inside], { type: 'application/javascript' }));
    const worker = new Worker(url, { type: 'module', deno: { permissions: 'none' } });
    worker.onmessage = ({ data }) => {
      console.log(JSON.stringify([...results, ...data]));
      worker.terminate();
    };`;

  let directory = '';
  let results: readonly (readonly [where: string, what: string, result: string])[] = [];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'fluffy-deno-'));
    await writeFile(join(directory, 'attempts.mjs'), PROGRAM, { mode: 0o644 });
    const command = [...SANDBOX_PROGRAMS['policy-sandbox'].command.slice(0, -1), '/attempts/attempts.mjs'];
    const { stdout, stderr } = await runInContainer(ENGINE, {
      image: await policyImage(),
      command,
      seccomp,
      binds: [`${join(directory, 'attempts.mjs')}:/attempts/attempts.mjs:ro`],
    });
    expect(stderr).toBe('');
    results = JSON.parse(stdout) as typeof results;
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  test.each(['program', 'worker'])('everything to the %s', (where) => {
    const own = results.filter(([place]) => place === where);
    expect(own).toHaveLength(Object.keys(ATTEMPTS).length);
    expect(own.filter(([, , result]) => result !== 'refused')).toEqual([]);
  });
});
