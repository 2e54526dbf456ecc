import { detectRuntime } from '../../bootstrap/detect-runtime.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import type { Engine } from '../../host/images/engine-api.ts';
import { findImage } from '../../host/images/engine-images.ts';
import { pullImage } from '../../host/images/pull-image.ts';
import { type ProjectImage, imageReferenceSchema, unusable } from '../../host/images/project-image.ts';
import { readHostSystem } from '../../host/setup/host-system.ts';
import { escapeTerminal } from '../../lib/text/escape-terminal.ts';
import type { CliServices, GlobalInput } from '../command-line/cli-command.ts';
import { setUserValue } from '../config/config-commands.ts';
import { type OpenProject, openProject, REPOSITORY_ROOT } from '../open-project.ts';
import { chosenImage } from '../supervisor/sandbox-images.ts';
import { usage } from '../usage-error.ts';

/** `fluffy image use`: tries an image in a sandbox, and writes it with its id into the user's own file. Null: the images of fluffy's own. */
export async function useImage(
  input: GlobalInput & { readonly reference: string | null },
  { env, output }: CliServices,
): Promise<ExitCode> {
  const opened = await openProject(input.project, input.allowRoot, env);
  if (input.reference === null) {
    const file = await writeChoice(opened, [], env);
    output.stderr(`Tests and commands of ${opened.project.root} run in fluffy's own images (${file})\n`);
    return EXIT.done;
  }
  const reference = imageReferenceSchema.safeParse(input.reference);
  if (!reference.success)
    throw usage(`${JSON.stringify(input.reference)} is not the name of an image`, 'For example golang:1.24');
  const engine = await detectRuntime(env, readHostSystem(env['PATH']));
  const id = await idOf(engine, reference.data, (line) => output.stderr(`${escapeTerminal(line)}\n`));
  const { root, uid, gid } = opened.project;
  const image = await chosenImage(
    { reference: reference.data, id },
    {
      engine,
      stateHome: opened.user.stateHome,
      repoRoot: REPOSITORY_ROOT,
      projectRoot: root,
      uid,
      gid,
      onProgress: (line) => output.stderr(`${line}\n`),
    },
  );
  const file = await writeChoice(opened, [{ project: root, image: reference.data, id }], env);
  output.stderr(`Tests and commands of ${root} run in ${reference.data} (${file})\n`);
  output.stdout(input.json ? `${JSON.stringify({ ...image, id })}\n` : found(id, image));
  return EXIT.done;
}

/** An image that the engine does not have is pulled: whoever names it here wants that. A session pulls none. */
async function idOf(engine: Engine, reference: string, onProgress: (line: string) => void): Promise<string> {
  const id = await findImage(engine, reference);
  if (id !== undefined) return id;
  if (reference.startsWith('sha256:'))
    throw unusable(reference, { why: 'the engine does not have it', fix: 'name it as its registry does' });
  onProgress(`pulling ${reference}, which the engine does not have`);
  return pullImage(engine, reference, { onProgress });
}

/** Puts other entries for this project out of the user's file. Resolves to the file. */
function writeChoice(
  { project, userConfig }: OpenProject,
  entries: readonly { readonly project: string; readonly image: string; readonly id: string }[],
  env: CliServices['env'],
): Promise<string> {
  const others = (userConfig.sandbox.image ?? []).filter((each) => each.project !== project.root);
  return setUserValue('sandbox.image', JSON.stringify([...others, ...entries]), env);
}

function found(id: string, { programs, notes }: ProjectImage): string {
  const lines = [
    id,
    ...Object.entries(programs).map(([name, { path, version }]) => `${name}: ${version} (${path})`),
    ...notes.map((note) => `note: ${note}`),
  ];
  return lines.map((line) => `${escapeTerminal(line)}\n`).join('');
}
