import { EXIT } from '../../../contracts/exit-codes.ts';
import { CONDITION_FORMS, parseCondition } from '../../../lib/evidence/conditions.ts';
import type { GradeCondition } from '../../../lib/evidence/conditions.ts';
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
      type: 'string',
      array: true,
      requiresArg: true,
      default: [] as readonly string[],
      describe: 'With --range: attested, verified, mutants>=80% or lines>=80%; may be repeated, all of them count',
    },
  },
  examples: [
    { line: 'fluffy audit verify', what: 'Check that the log is unchanged' },
    {
      line: 'fluffy audit verify --range origin/main..HEAD --keys team.keys',
      what: 'Check that these commits are proved',
    },
    {
      line: "fluffy audit verify --range origin/main..HEAD --require verified --require 'mutants>=80%'",
      what: 'Also check that tests notice mutants',
    },
  ],
  exitCodes: [EXIT.done, EXIT.failed, EXIT.usage, EXIT.auditBroken],
  read: (given) => {
    if (given.range !== undefined && given.anchors !== undefined)
      throw usage('--anchors is for the log, --range for commits');
    if (given.range === undefined && (given.require.length > 0 || given.keys.length > 0))
      throw usage('--keys and --require belong to --range');
    return { ...given, require: given.require.map(readCondition) };
  },
  run: async (input, services) => (await import('../../audit/audit-commands.ts')).verifyCommand(input, services),
});

/** Strict: a misspelt condition that was ignored would accept what it should refuse. */
function readCondition(text: string): GradeCondition {
  const condition = parseCondition(text);
  if (condition === null) throw usage(`--require ${text} is not a condition: it can be ${CONDITION_FORMS}`);
  return condition;
}
