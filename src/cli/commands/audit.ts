import { userDirs } from '../../contracts/host-layout.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { escapeJsonForTerminal, escapeTerminal } from '../../lib/escape-terminal.ts';
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
      const { anchors, badLines } = await readAnchors(dirs, key.publicKey);
      if (badLines.length > 0) output.stderr(describeBadLines(dirs.anchors, badLines));
      return anchors;
    },
    ...(command.range === undefined ? {} : { range: command.range }),
  });
  output.stdout(command.json ? `${escapeJsonForTerminal(JSON.stringify(verdict))}\n` : `${formatVerdict(verdict)}\n`);
  return auditExitCode(verdict);
}

function describeBadLines(file: string, numbers: readonly number[]): string {
  const shown = numbers.slice(0, 10).join(', ');
  const rest = numbers.length > 10 ? ` and ${numbers.length - 10} more` : '';
  return `warning: ${escapeTerminal(file)}: not signed by this host, and left out: line ${shown}${rest}\n`;
}
