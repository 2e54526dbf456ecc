import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readHostSystem } from './host-system.ts';
import { userDirs } from '../../contracts/host-layout.ts';
import { consentFrom } from './consent.ts';
import { ensureSetup } from './ensure-setup.ts';
import { ensureTestTool, TEST_TOOLS } from './ensure-test-tool.ts';
import { realMachine } from './machine.ts';
import { stopEngine } from './start-engine.ts';

/**
 * Set-up as a program of its own, for `npm test`:
 *
 *   setup.mjs [--yes] [--base auto|host|registry] [--started FILE]   engine and images; FILE records an engine it had to start
 *             [--test-tools]                                         and the tools that only tests need: tmux, pytest
 *   setup.mjs --stop FILE                                            stops that engine again
 */
const { values } = parseArgs({
  options: {
    yes: { type: 'boolean', default: false },
    base: { type: 'string', default: 'auto' },
    started: { type: 'string' },
    'test-tools': { type: 'boolean', default: false },
    stop: { type: 'string' },
  },
});

const say = (line: string): void => void process.stderr.write(`fluffy: ${line}\n`);

const startedSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('service'), stop: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('process'), pid: z.number().int().positive() }),
]);

const userFacingSchema = z.object({ what: z.string(), why: z.string(), fix: z.string(), exitCode: z.number().int() });

async function setUp(): Promise<void> {
  const machine = realMachine(readHostSystem(process.env['PATH']), process.env['PATH']);
  const consent = consentFrom({ yes: values.yes, env: process.env, interactive: process.stdin.isTTY });
  // Before the images, because pytest is copied into the Python image.
  if (values['test-tools']) for (const tool of TEST_TOOLS) await ensureTestTool(tool, machine, consent, say);
  await ensureSetup({
    env: process.env,
    machine,
    stateHome: userDirs(process.env).stateHome,
    repoRoot: join(import.meta.dirname, '..'),
    consent,
    base: z.enum(['auto', 'host', 'registry']).parse(values.base),
    onProgress: say,
    onEngineStarted: async (started) => {
      if (values.started !== undefined) await writeFile(values.started, JSON.stringify(started));
    },
  });
}

async function tearDown(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return;
  say('stopping the container engine that set-up started');
  await stopEngine(
    startedSchema.parse(JSON.parse(text)),
    realMachine(readHostSystem(process.env['PATH']), process.env['PATH']),
  );
}

try {
  await (values.stop === undefined ? setUp() : tearDown(values.stop));
} catch (error) {
  const reported = userFacingSchema.safeParse(error);
  if (!reported.success) throw error;
  say(`error: ${reported.data.what}\n  why: ${reported.data.why}\n  fix: ${reported.data.fix}`);
  process.exitCode = reported.data.exitCode;
}
