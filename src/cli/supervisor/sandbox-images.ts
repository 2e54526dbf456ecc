import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { readImageManifest } from '../../host/images/image-records.ts';
import type { EngineClient } from '../../host/runtime-guard/engine-client.ts';
import type { SandboxImage } from '../../contracts/sandbox-templates.ts';

export interface ProjectImages {
  readonly kernel: string;
  readonly sandboxes: Readonly<Partial<Record<SandboxImage, string>>>;
}

/**
 * The images that set-up recorded, looked up in the engine.
 *
 * @throws FluffyError `images_missing` (exit 3)
 */
export async function findImages(stateHome: string, engine: EngineClient): Promise<ProjectImages> {
  const { images } = await readImageManifest(stateHome);
  const [kernel, node, provider] = ['kernel', 'node', 'provider'].map((name) => images[name]?.id);
  if (kernel === undefined || node === undefined || provider === undefined) throw missing('they have not been built');
  for (const id of [kernel, node, provider]) {
    const { status } = await engine.call('GET', `/images/${id}/json`);
    if (status !== 200) throw missing(`the engine no longer has ${id.slice(0, 19)}`);
  }
  // The base of every image has Python, unless one was built for it alone.
  const sandboxes = { node, provider, python: images['python']?.id ?? node };
  const policy = images['policy-sandbox']?.id;
  return { kernel, sandboxes: policy === undefined ? sandboxes : { ...sandboxes, 'policy-sandbox': policy } };
}

function missing(why: string): FluffyError {
  return new FluffyError({
    code: 'images_missing',
    what: 'The sandbox images are missing',
    why,
    fix: 'run: fluffy image build',
    exitCode: EXIT.noRuntime,
  });
}
