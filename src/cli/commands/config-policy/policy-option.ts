import type { OptionTable } from '../../command-line/cli-command.ts';

export const POLICY_OPTION = {
  policy: { type: 'string', requiresArg: true, describe: 'This file alone, with the built-in rules' },
} as const satisfies OptionTable;
