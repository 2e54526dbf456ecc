import { detectRuntime } from '../../bootstrap/detect-runtime.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import type { Engine } from '../../host/images/engine-api.ts';
import { findImage } from '../../host/images/engine-images.ts';
import { pullImage } from '../../host/images/pull-image.ts';
import { type ProjectImage, imageReferenceSchema, unusable } from '../../host/images/project/project-image.ts';
import { readHostSystem } from '../../host/setup/host-system.ts';
import { escapeTerminal } from '../../lib/text/escape-terminal.ts';
import { jsonLine } from '../../lib/json-line.ts';
import type { CliServices, GlobalInput } from '../command-line/cli-command.ts';
import { isYes } from '../config/policy/confirm-update.ts';
import { personAtTerminal } from '../config/policy/person-at-terminal.ts';
import { setUserValue } from '../config/config-commands.ts';
import { type OpenProject, openProject, REPOSITORY_ROOT } from '../open-project.ts';
import { chosenImage } from '../supervisor/sandbox-images.ts';
import { usage } from '../usage-error.ts';
import { readDevcontainer } from './devcontainer.ts';

interface UseInput extends GlobalInput {
  /** Absent: the one in the project's devcontainer.json, after a yes. */
  readonly reference: string | undefined;
  /** Return to fluffy's own images. */
  readonly none: boolean;
}

/** `fluffy image use`: tests an image in a sandbox, and writes it with its id into the user's own file. */
export async function useImage(input: UseInput, services: CliServices): Promise<ExitCode> {
  const { env, output } = services;
  const opened = await openProject(input.project, input.allowRoot, env, { commitsNothing: true });
  if (input.none) {
    const file = await writeChoice(opened, [], env);
    output.stderr(`Tests and commands of ${opened.project.root} run in fluffy's own images (${file})\n`);
    return EXIT.done;
  }
  const name = input.reference ?? (await offered(opened.project.root, input, services));
  const reference = imageReferenceSchema.safeParse(name);
  if (!reference.success) throw usage(`${JSON.stringify(name)} is not the name of an image`, 'For example golang:1.24');
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
  output.stdout(input.json ? jsonLine({ ...image, id }) : found(id, image));
  return EXIT.done;
}

/** The image of the project's devcontainer.json, if a person at the terminal agrees. Throws FluffyError `usage`. */
async function offered(root: string, { json }: UseInput, { env, stdin }: CliServices): Promise<string> {
  const found = readDevcontainer(root);
  const fix = 'Name one: fluffy image use golang:1.24; or go back with --none';
  if (found.kind === 'none') throw usage('no image is named, and the project has no devcontainer.json', fix);
  if (found.kind === 'unreadable')
    throw usage(`${found.file} is not read: it is a link, empty, or longer than 1 MiB`, fix);
  if (found.kind === 'other')
    throw usage(
      `${found.file} names no image that is there already`,
      'Build that image with your engine (docker build -t NAME …), then run fluffy image use NAME',
    );
  const person = personAtTerminal({ env, json, input: stdin });
  try {
    const answer = await person.ask(`${found.file} names the image ${found.image}. Use it for this project? [y/N] `);
    if (isYes(answer)) return found.image;
  } finally {
    person.close();
  }
  throw usage(`the image of ${found.file} was not confirmed`, `To use it: fluffy image use ${found.image}`);
}

/** An image that the engine does not have is pulled, because it was named explicitly. A session pulls none. */
async function idOf(engine: Engine, reference: string, onProgress: (line: string) => void): Promise<string> {
  const id = await findImage(engine, reference);
  if (id !== undefined) return id;
  if (reference.startsWith('sha256:'))
    throw unusable(reference, { why: 'the engine does not have it', fix: 'name it as its registry does' });
  onProgress(`pulling ${reference}, which the engine does not have`);
  return pullImage(engine, reference, { onProgress });
}

/** Replaces the entries for this project in the user's file. Resolves to the file. */
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
