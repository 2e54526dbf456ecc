import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { userDirs } from '../../contracts/host-layout.ts';
import { jsonLine } from '../../lib/json-line.ts';
import { detectRuntime } from '../../bootstrap/detect-runtime.ts';
import { readHostSystem } from '../../host/setup/host-system.ts';
import type { BaseChoice } from '../../host/images/base-image.ts';
import { ensureImages } from '../../host/images/ensure-images.ts';
import { readImageManifest } from '../../host/images/image-records.ts';
import { pruneImages } from '../../host/images/prune-images.ts';
import { consentFrom } from '../../host/setup/consent.ts';
import { ensureEngine } from '../../host/setup/ensure-engine.ts';
import { realMachine } from '../../host/setup/machine.ts';
import type { CliServices, GlobalInput } from '../command-line/cli-command.ts';
import type { Output } from '../output/output.ts';
import { REPOSITORY_ROOT } from '../open-project.ts';

/** `fluffy image list`. */
export async function listImages(input: GlobalInput, { env, output }: CliServices): Promise<ExitCode> {
  await printImages(input.json, userDirs(env).stateHome, output);
  return EXIT.done;
}

/** `fluffy image build`: builds missing or outdated images, then lists all of them. */
export async function buildImages(
  input: GlobalInput & { readonly base: BaseChoice | undefined },
  { env, output }: CliServices,
): Promise<ExitCode> {
  const { stateHome } = userDirs(env);
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
    ...(input.base === undefined ? {} : { base: input.base }),
  });
  await printImages(input.json, stateHome, output);
  return EXIT.done;
}

/** `fluffy image prune`: removes images of other versions of the sources. Images that a container still uses stay and are named. */
export async function pruneUnused(input: GlobalInput, { env, output }: CliServices): Promise<ExitCode> {
  const engine = await detectRuntime(env, readHostSystem(env['PATH']));
  const { removed, inUse } = await pruneImages({ engine, stateHome: userDirs(env).stateHome });
  if (input.json) {
    output.stdout(jsonLine({ removed, in_use: inUse }));
    return EXIT.done;
  }
  for (const id of inUse) output.stderr(`${id} is still in use and stays\n`);
  output.stdout(removed.length === 0 ? 'Nothing to remove.\n' : removed.map((id) => `removed ${id}\n`).join(''));
  return EXIT.done;
}

async function printImages(json: boolean, stateHome: string, output: Output): Promise<void> {
  const manifest = await readImageManifest(stateHome);
  if (json) return output.stdout(jsonLine(manifest.images));
  for (const [name, image] of Object.entries(manifest.images))
    output.stdout(`${name}  ${image.id}  ${new Date(image.built_at_ms).toISOString()}\n`);
}
