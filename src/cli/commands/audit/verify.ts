import { EXIT } from '../../../contracts/exit-codes.ts';
import { defineCommand } from '../../command-line/cli-command.ts';
import { usage } from '../../usage-error.ts';

export const auditVerify = defineCommand({
  name: 'audit verify',
  summary: 'Verify the audit log, or commits by their evidence',
  arguments: [],
  options: {
    range: { type: 'string', requiresArg: true, describe: 'The commits A..B by their evidence; the log is not read' },
    anchors: {
      type: 'string',
      requiresArg: true,
      describe: 'A file of heads that fluffy audit anchor printed: compared too',
    },
    keys: {
      type: 'string',
      array: true,
      requiresArg: true,
      default: [] as readonly string[],
      describe: 'With --range: a file of keys to trust, or a directory of *.keys; may be repeated',
    },
    require: {
      choices: ['attested', 'verified'],
      describe: 'With --range: refuse commits without evidence, or also those that no test failed first for',
    },
  },
  examples: [
    { line: 'fluffy audit verify', what: 'Is the log as it was written?' },
    { line: 'fluffy audit verify --range origin/main..HEAD --keys team.keys', what: 'Are these commits proved?' },
  ],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.auditBroken],
  read: (given) => {
    if (given.range !== undefined && given.anchors !== undefined)
      throw usage('--anchors is for the log, --range for commits');
    if (given.range === undefined && (given.require !== undefined || given.keys.length > 0))
      throw usage('--keys and --require belong to --range');
    return given;
  },
  run: async (input, services) => (await import('../../audit/audit-commands.ts')).verifyCommand(input, services),
});
