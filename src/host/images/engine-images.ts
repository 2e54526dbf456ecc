import { z } from 'zod';
import type { RootfsEntry } from './rootfs/rootfs-entry.ts';
import { type Engine, callEngine, engineRefused, expectEngine } from './engine-api.ts';
import { tarStream } from './rootfs/tar-stream.ts';

/** Both labels are on every image of Fluffy: its name, and the hash of its sources. */
export const IMAGE_LABEL = 'fluffy.image';
export const SOURCE_LABEL = 'fluffy.source';

/** The tag of an image; with `localhost` an engine never asks a registry for it. */
export function imageTag(name: string, source: string): string {
  return `localhost/fluffy-${name}:${source.slice(0, 12)}`;
}

const labels = (name: string, source: string): Record<string, string> => ({
  [IMAGE_LABEL]: name,
  [SOURCE_LABEL]: source,
});

const imageListSchema = z.array(
  z.object({
    Id: z.string(),
    Labels: z.record(z.string(), z.string()).nullish(),
    RepoTags: z.array(z.string()).nullish(),
  }),
);

export interface EngineImage {
  readonly id: string;
  readonly name: string;
  readonly source: string;
}

interface LabelledImage extends EngineImage {
  readonly tags: readonly string[];
}

/** Podman omits the prefix in some answers. */
function fullId(id: string): string {
  return id.startsWith('sha256:') ? id : `sha256:${id}`;
}

/**
 * The images with Fluffy's labels and the matching tag. Anybody can put labels on an image in a registry, but a `localhost` tag is given only on this
 * machine.
 */
export async function listOurImages(engine: Engine): Promise<EngineImage[]> {
  const labelled = await listLabelledImages(engine);
  return labelled
    .filter(({ name, source, tags }) => tags.includes(imageTag(name, source)))
    .map(({ id, name, source }) => ({ id, name, source }));
}

/** Every image with Fluffy's labels, also one whose tag was moved to a newer image. */
export async function listLabelledImages(engine: Engine): Promise<LabelledImage[]> {
  const filters = JSON.stringify({ label: [IMAGE_LABEL] });
  const images = imageListSchema.parse(
    await expectEngine(engine, { method: 'GET', path: '/images/json', query: { filters } }),
  );
  return images.flatMap(({ Id, Labels, RepoTags }) => {
    const name = Labels?.[IMAGE_LABEL];
    const source = Labels?.[SOURCE_LABEL];
    return name === undefined || source === undefined ? [] : [{ id: fullId(Id), name, source, tags: RepoTags ?? [] }];
  });
}

/** The id of an image by any reference; `undefined` if the engine does not have it. */
export async function findImage(engine: Engine, reference: string): Promise<string | undefined> {
  const { status, body } = await callEngine(engine, { method: 'GET', path: `/images/${reference}/json` });
  if (status === 404) return undefined;
  if (status !== 200) throw engineRefused(`inspect ${reference}`, `${status}: ${body.toString('utf8').trim()}`);
  return fullId(z.object({ Id: z.string() }).parse(JSON.parse(body.toString('utf8'))).Id);
}

/** Creates an image from a root file system; resolves to its id. */
export async function importImage(
  engine: Engine,
  image: { readonly name: string; readonly source: string; readonly entries: readonly RootfsEntry[] },
): Promise<string> {
  const tag = imageTag(image.name, image.source);
  const [repo = '', version = ''] = tag.split(/:(?=[^:]*$)/);
  const changes = [
    'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    'ENV LANG=C.UTF-8',
    ...Object.entries(labels(image.name, image.source)).map(([key, value]) => `LABEL ${key}=${value}`),
  ];
  const query = new URLSearchParams({ fromSrc: '-', repo, tag: version });
  for (const change of changes) query.append('changes', change);
  await expectProgress(engine, `/images/create?${query.toString()}`, image.entries);
  return requireImage(engine, tag);
}

/** Builds an image from a context without network; resolves to its id. */
export async function buildImage(
  engine: Engine,
  image: {
    readonly name: string;
    readonly source: string;
    /** Reference of the image it is built on. */
    readonly base: string;
    readonly context: readonly RootfsEntry[];
  },
  onStep: (step: string) => void = () => undefined,
): Promise<string> {
  const tag = imageTag(image.name, image.source);
  const query = new URLSearchParams({
    version: '1',
    t: tag,
    networkmode: 'none',
    rm: '1',
    forcerm: '1',
    buildargs: JSON.stringify({ BASE: image.base }),
    labels: JSON.stringify(labels(image.name, image.source)),
  });
  await expectProgress(engine, `/build?${query.toString()}`, image.context, onStep);
  return requireImage(engine, tag);
}

/**
 * Removes an image unless a container uses it or another image is built on it.
 *
 * @throws FluffyError `engine_refused`
 */
export async function removeImage(engine: Engine, id: string): Promise<'removed' | 'in-use'> {
  const { status, body } = await callEngine(engine, {
    method: 'DELETE',
    path: `/images/${id}`,
    query: { force: 'false' },
  });
  if (status === 409) return 'in-use';
  if (status === 200 || status === 404) return 'removed';
  throw engineRefused(`remove ${id}`, `${status}: ${body.toString('utf8').trim()}`);
}

async function requireImage(engine: Engine, reference: string): Promise<string> {
  const id = await findImage(engine, reference);
  if (id === undefined) throw engineRefused(reference, 'the engine reported success, but has no such image');
  return id;
}

/** How the engine begins a step of a build. A line that comes in two parts may be missed. */
const STEP = /"stream":"step (\d+)\/(\d+) ?:/gi;

/** Builds and imports answer 200 at once and tell of a failure in a later line. */
async function expectProgress(
  engine: Engine,
  path: string,
  entries: readonly RootfsEntry[],
  onStep: (step: string) => void = () => undefined,
): Promise<void> {
  const { status, body } = await callEngine(engine, {
    method: 'POST',
    path,
    body: { kind: 'tar', bytes: tarStream(entries) },
    timeoutMs: 600_000,
    onPart: (part) => {
      for (const [, step = '', all = ''] of part.toString('latin1').matchAll(STEP)) onStep(`step ${step} of ${all}`);
    },
  });
  const text = body.toString('utf8');
  if (status !== 200) throw engineRefused(path.replace(/\?.*/, ''), `${status}: ${text.trim()}`);
  for (const line of text.split('\n')) {
    const error = errorOf(line);
    if (error !== undefined) throw engineRefused(path.replace(/\?.*/, ''), error);
  }
}

const progressLineSchema = z.object({ error: z.string().optional() });

function errorOf(line: string): string | undefined {
  if (line.trim() === '') return undefined;
  try {
    return progressLineSchema.parse(JSON.parse(line)).error;
  } catch {
    return undefined;
  }
}
