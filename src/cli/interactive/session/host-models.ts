import { effortsOf } from '../../../contracts/model/model-facts.ts';
import { factsOf, resolveModel } from '../../models/resolve-model.ts';
import type { Environment, OpenProject } from '../../open-project.ts';
import type { HostModels } from './model-switch.ts';

/** What this machine knows about models. The list is loaded on demand. */
export function hostModels(opened: OpenProject, env: Environment): HostModels {
  return {
    resolve: (model, effort) => resolveModel({ env, opened, invokerDir: process.cwd() }, model, effort),
    effortsOf: (model) => effortsOf(factsOf(opened.userConfig, model)),
    list: async () => {
      const { modelsHere } = await import('../../models/list-models.ts');
      const { modelEntries } = await import('../../models/model-entries.ts');
      return modelEntries(await modelsHere({ env, opened }));
    },
  };
}
