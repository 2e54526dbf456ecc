import { OVER } from '../wire/script.ts';
import type { Script } from '../wire/script.ts';
import { giveAway, makeJobProject } from './job-project.ts';
import { jobScene } from './job-scene.ts';
import type { JobScene } from './job-scene.ts';

export interface SharedParts {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * One project and one home for the tests of a file, so that the supervisor and the kernel start once and every later run finds them
 * running, as a user's second run does. For tests that do not count sessions, audit records or merges.
 */
export interface SharedScene {
  /** The project as it was at first, and a model that plays this script from its beginning. */
  begin(script: Script): Promise<JobScene>;
  close(): Promise<void>;
}

export function sharedScene(parts: SharedParts = {}): SharedScene {
  let playing: Script = [];
  let offset = 0;
  let made: JobScene | null = null;
  let first = '';

  const make = async (): Promise<JobScene> => {
    const scene = await jobScene(
      (request) => {
        const own = { ...request, index: request.index - offset };
        if (typeof playing === 'function') return playing(own);
        return playing[own.index] ?? OVER;
      },
      { project: makeJobProject(parts.files), ...(parts.env === undefined ? {} : { env: parts.env }) },
    );
    first = scene.project.git('rev-parse', 'HEAD').trim();
    return scene;
  };

  return {
    async begin(script) {
      const scene = (made ??= await make());
      const { project, model } = scene;
      playing = script;
      const skipped = (offset = model.requests.length);
      project.git('reset', '--quiet', '--hard', first);
      project.git('clean', '--quiet', '-ffdx');
      giveAway(project.root);
      const requests = () => model.requests.slice(skipped);
      return {
        ...scene,
        model: {
          ...model,
          get requests() {
            return requests();
          },
        },
      };
    },
    async close() {
      await made?.close();
      made = null;
    },
  };
}
