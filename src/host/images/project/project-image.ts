import { z } from 'zod';
import { EXIT } from '../../../contracts/exit-codes.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import type { KernelProjectImage } from '../../../contracts/kernel-options.ts';
import type { ProjectImageShape } from '../../runtime-guard/guard-context.ts';
import { GO_SETTINGS } from '../../toolchains/go/go-warm-cache.ts';
import { type Engine, callEngine, engineRefused } from '../engine-api.ts';
import { inspectedImageSchema, judgeImage } from './judge-image.ts';
import { type FoundProgram, type ProbedAs, probeImage } from './probe-image.ts';

/** An image as a person names it: `golang:1.24`, `localhost:5000/team/tools@sha256:…`, or an id. */
export const imageReferenceSchema = z
  .string()
  .max(400)
  .regex(/^[A-Za-z0-9][\w.-]*(?::\d+)?(?:\/[\w.-]+)*(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/, 'the name of an image')
  .refine((reference) => !reference.split('/').some((part) => /^\.+$/.test(part)), 'the name of an image');

export const imageIdSchema = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/, 'sha256: and 64 digits, as `fluffy image use` writes them');

/** The user's choice for one project: a name for people, and the id, by which the image is used. */
export const imageChoiceSchema = z.strictObject({
  reference: imageReferenceSchema,
  id: imageIdSchema,
});
export type ImageChoice = z.infer<typeof imageChoiceSchema>;

/** The user's image that was accepted for one project. */
export interface ProjectImage {
  readonly forTests: KernelProjectImage;
  readonly shape: ProjectImageShape;
  readonly programs: Readonly<Record<string, FoundProgram>>;
  /** What does not work in it, as text for people. */
  readonly notes: readonly string[];
}

export interface ProjectImageOptions extends ProbedAs {
  readonly engine: Engine;
  readonly projectRoot: string;
}

/**
 * Inspects and tests the image that the user's configuration names for a project.
 *
 * @throws FluffyError `image_unusable`, `engine_refused`, `engine_unreachable`
 */
export async function projectImage(choice: ImageChoice, options: ProjectImageOptions): Promise<ProjectImage> {
  const { reference, id } = choice;
  const { engine, projectRoot, programs } = options;
  const inspected = await inspectImage(engine, id);
  if (inspected === null) {
    const why = `the engine does not have ${id}`;
    throw unusable(reference, { why, fix: `run: fluffy image use ${reference}` });
  }
  const judged = judgeImage(inspected, { architecture: process.arch, projectRoot });
  if (judged.kind === 'unusable') throw unusable(reference, judged);
  const { facts } = judged;
  const probed = await probeImage(engine, { id, facts }, options);
  if (probed.kind === 'unusable') throw unusable(reference, probed);
  const { node, goRoot, programs: found, notes } = probed.probe;
  return {
    forTests: { reference, id, node, path: [...facts.path], env: { ...facts.env, ...settingsOf(goRoot) } },
    shape: { variables: facts.variables, volumes: facts.volumes, programs },
    programs: found,
    notes,
  };
}

/** The engine's description of an image; null if it does not have it. */
export async function inspectImage(engine: Engine, reference: string) {
  const { status, body } = await callEngine(engine, { method: 'GET', path: `/images/${reference}/json` });
  if (status === 404) return null;
  if (status !== 200) throw engineRefused(`inspect ${reference}`, `${status}: ${body.toString('utf8').trim()}`);
  return inspectedImageSchema.parse(JSON.parse(body.toString('utf8')));
}

/** A sandbox downloads nothing. */
function settingsOf(goRoot: string | null): Record<string, string> {
  return { ...(goRoot === null ? {} : { ...GO_SETTINGS, GOROOT: goRoot }), CARGO_NET_OFFLINE: 'true' };
}

export function unusable(reference: string, { why, fix }: { readonly why: string; readonly fix: string }): FluffyError {
  return new FluffyError({
    code: 'image_unusable',
    what: `The image ${reference} cannot be used for this project`,
    why,
    fix,
    exitCode: EXIT.noRuntime,
  });
}
