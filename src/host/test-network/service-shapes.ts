import type { Engine } from '../images/engine-api.ts';
import { judgeImage } from '../images/project/judge-image.ts';
import { inspectImage, unusable } from '../images/project/project-image.ts';
import type { ServiceShape } from '../runtime-guard/guard-context.ts';
import type { Service } from './service.ts';

/**
 * The services of a project in the form from which the guard creates their containers: images by id, with their declarations.
 *
 * @throws FluffyError `image_unusable`, `engine_refused`, `engine_unreachable`
 */
export async function serviceShapes(
  engine: Engine,
  services: Readonly<Record<string, Service>>,
  projectRoot: string,
): Promise<Record<string, ServiceShape>> {
  const shapes = Object.entries(services).map(async ([name, service]) => {
    const { command, environment, writable } = service;
    const own = command === undefined ? {} : { command };
    return [name, { ...own, environment, writable, ...(await imageOf(engine, service, projectRoot)) }] as const;
  });
  return Object.fromEntries(await Promise.all(shapes));
}

async function imageOf(
  engine: Engine,
  { image, id, writable }: Service,
  projectRoot: string,
): Promise<Pick<ServiceShape, 'imageId' | 'volumes'>> {
  if (image === undefined || id === undefined) return { imageId: null, volumes: [] };
  const inspected = await inspectImage(engine, id);
  if (inspected === null) {
    const fix = `run: docker pull ${image}, and write the id of the image into your configuration`;
    throw unusable(image, { why: `the engine does not have ${id}`, fix });
  }
  const judged = judgeImage(inspected, { architecture: process.arch, projectRoot });
  if (judged.kind === 'unusable') throw unusable(image, judged);
  return { imageId: id, volumes: judged.facts.volumes.filter((path) => !writable.includes(path)) };
}
