import type { OptionTable } from '../../command-line/cli-command.ts';

export const POLICY_OPTION = {
  policy: { type: 'string', requiresArg: true, describe: 'Only this file, with the built-in rules' },
} as const satisfies OptionTable;
