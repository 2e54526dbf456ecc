import { EXIT } from '../../contracts/exit-codes.ts';
import { defineCommand } from '../command-line/cli-command.ts';
import { BASE_OPTION, CONSENT_OPTION } from './shared-options.ts';

export const doctor = defineCommand({
  name: 'doctor',
  summary: 'Say whether a session can start here; check engine, images and protections',
  arguments: [],
  options: {
    fix: { type: 'boolean', default: false, describe: 'Install, start and build what is missing' },
    ...CONSENT_OPTION,
    ...BASE_OPTION,
  },
  examples: [{ line: 'fluffy doctor --fix', what: 'Repair what can be repaired' }],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.noRuntime],
  read: (given) => given,
  run: async (input, services) => (await import('../doctor/doctor-command.ts')).doctorCommand(input, services),
});
