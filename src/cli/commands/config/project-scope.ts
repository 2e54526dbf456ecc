import type { OptionTable } from '../../command-line/cli-command.ts';

export const PROJECT_SCOPE = {
  'project-scope': { type: 'boolean', default: false, describe: "Change the project's .fluffy/config.yaml" },
} as const satisfies OptionTable;
