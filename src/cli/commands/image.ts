import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { userDirs } from '../../contracts/host-layout.ts';
import { detectRuntime } from '../../bootstrap/detect-runtime.ts';
import { readHostSystem } from '../../host/setup/host-system.ts';
import { ensureImages } from '../../host/images/ensure-images.ts';
import { readImageManifest } from '../../host/images/image-records.ts';
import { pruneImages } from '../../host/images/prune-images.ts';
import { consentFrom } from '../../host/setup/consent.ts';
import { ensureEngine } from '../../host/setup/ensure-engine.ts';
import { realMachine } from '../../host/setup/machine.ts';
import type { Command } from '../arguments.ts';
import type { Output } from '../headless/printer.ts';
import { REPOSITORY_ROOT } from '../open-project.ts';
import type { Environment } from '../open-project.ts';

/** `fluffy image list|build|prune`. */
export async function imageCommand(
  command: Extract<Command, { kind: 'image' }>,
  env: Environment,
  output: Output,
): Promise<ExitCode> {
  const { stateHome } = userDirs(env);
  if (command.action === 'prune') {
    await prune(env, stateHome, command.json, output);
    return EXIT.done;
  }
  if (command.action === 'build') {
    const onProgress = (line: string) => output.stderr(`${line}\n`);
    const engine = await ensureEngine({
      env,
      machine: realMachine(readHostSystem(env['PATH']), env['PATH']),
      stateHome,
      consent: consentFrom({ yes: false, env: {}, interactive: false }),
      onProgress,
    });
    await ensureImages({
      engine,
      stateHome,
      repoRoot: REPOSITORY_ROOT,
      onProgress,
      ...(command.base === undefined ? {} : { base: command.base as 'host' | 'registry' }),
    });
  }
  const manifest = await readImageManifest(stateHome);
  if (command.json) output.stdout(`${JSON.stringify(manifest.images)}\n`);
  else
    for (const [name, image] of Object.entries(manifest.images))
      output.stdout(`${name}  ${image.id}  ${new Date(image.built_at_ms).toISOString()}\n`);
  return EXIT.done;
}

/** Removes what another version of the sources left behind. What a container still uses stays, and is told. */
async function prune(env: Environment, stateHome: string, json: boolean, output: Output): Promise<void> {
  const engine = await detectRuntime(env, readHostSystem(env['PATH']));
  const { removed, inUse } = await pruneImages({ engine, stateHome });
  if (json) return output.stdout(`${JSON.stringify({ removed, in_use: inUse })}\n`);
  for (const id of inUse) output.stderr(`${id} is still in use and stays\n`);
  output.stdout(removed.length === 0 ? 'Nothing to remove.\n' : removed.map((id) => `removed ${id}\n`).join(''));
}
