import type { OptionTable } from '../command-line/cli-command.ts';

export const CONSENT_OPTION = {
  yes: {
    type: 'boolean',
    default: false,
    alias: 'y',
    describe: 'Install and start what is missing without asking',
  },
} as const satisfies OptionTable;

export const BASE_OPTION = {
  base: {
    choices: ['host', 'registry'],
    describe: 'What sandbox images are built from: programs of this machine, or an official image',
  },
} as const satisfies OptionTable;
