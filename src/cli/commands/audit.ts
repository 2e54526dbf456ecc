import { userDirs } from '../../contracts/host-layout.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { anchorKey, readAnchors } from '../../host/signer/index.ts';
import type { Command } from '../arguments.ts';
import { auditLog } from '../audit/audit-log.ts';
import { formatVerdict } from '../audit/format-verdict.ts';
import { auditExitCode, verifyAudit } from '../audit/verify-audit.ts';
import type { Output } from '../headless/printer.ts';
import { locateProject } from '../open-project.ts';
import type { Environment } from '../open-project.ts';

/** `fluffy audit log|verify`: read on the host, with no container, trusting neither database nor anchors. */
export async function auditCommand(
  command: Extract<Command, { kind: 'audit' }>,
  env: Environment,
  output: Output,
): Promise<ExitCode> {
  const dirs = await locateProject(command.project, env);
  if (command.action === 'log') {
    await auditLog({ databasePath: dirs.database, json: command.json, write: (line) => output.stdout(`${line}\n`) });
    return EXIT.done;
  }
  const verdict = await verifyAudit({
    databasePath: dirs.database,
    readAnchors: async () => {
      const key = await anchorKey(userDirs(env));
      const { anchors } = await readAnchors(dirs, key.publicKey);
      return anchors;
    },
    ...(command.range === undefined ? {} : { range: command.range }),
  });
  output.stdout(command.json ? `${JSON.stringify(verdict)}\n` : formatVerdict(verdict));
  return auditExitCode(verdict);
}
