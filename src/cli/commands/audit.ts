import { userDirs } from '../../contracts/host-layout.ts';
import type { ProjectDirs, UserDirs } from '../../contracts/host-layout.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { escapeJsonForTerminal, escapeTerminal } from '../../lib/escape-terminal.ts';
import { anchorPublicKey, readAnchors } from '../../host/signer/index.ts';
import type { Command } from '../arguments.ts';
import { auditLog } from '../audit/audit-log.ts';
import { formatVerdict } from '../audit/format-verdict.ts';
import { auditExitCode, verifyAudit } from '../audit/verify-audit.ts';
import type { AnchorsRead } from '../audit/verify-audit.ts';
import { printKeys } from '../audit/range/print-keys.ts';
import { verifyRangeCommand } from '../audit/range/range-command.ts';
import type { Output } from '../headless/printer.ts';
import { locateProject } from '../open-project.ts';
import type { Environment } from '../open-project.ts';

/** `fluffy audit log|verify|keys`: read on the host, with no container, trusting neither database nor anchors nor repository. */
export async function auditCommand(
  command: Extract<Command, { kind: 'audit' }>,
  env: Environment,
  output: Output,
): Promise<ExitCode> {
  const { range } = command;
  if (command.action === 'keys') return await printKeys(command.json, userDirs(env), output);
  if (range !== undefined) return await verifyRangeCommand({ ...command, range }, userDirs(env), output);
  const dirs = await locateProject(command.project, env);
  if (command.action === 'log') {
    await auditLog({
      databasePath: dirs.database,
      json: command.json,
      ...(command.limit === undefined ? {} : { limit: command.limit }),
      write: (line) => output.stdout(`${line}\n`),
    });
    return EXIT.done;
  }
  const verdict = await verifyAudit({
    databasePath: dirs.database,
    readAnchors: () => readSigned(userDirs(env), dirs),
  });
  output.stdout(command.json ? `${escapeJsonForTerminal(JSON.stringify(verdict))}\n` : `${formatVerdict(verdict)}\n`);
  return auditExitCode(verdict);
}

/**
 * The anchors with what speaks against their being all there. Makes no key: without the one that signed, a file of anchors proves nothing.
 * A project of which nothing was ever signed is in no doubt.
 */
export async function readSigned(user: UserDirs, dirs: ProjectDirs): Promise<AnchorsRead> {
  const key = await anchorPublicKey(user);
  const { anchors, badLines, unreadable } = await readAnchors(dirs, key ?? '');
  const file = escapeTerminal(dirs.anchors);
  if (unreadable !== undefined) return { anchors, doubt: `anchors: ${file} cannot be used: ${unreadable}` };
  if (badLines.length === 0) return { anchors, doubt: null };
  if (key === null) return { anchors, doubt: `anchors: ${file} is there, the key that signed it is not` };
  const shown = badLines.slice(0, 10).join(', ');
  const rest = badLines.length > 10 ? ` and ${badLines.length - 10} more` : '';
  return { anchors, doubt: `anchors: ${file}: not signed by this host's key: line ${shown}${rest}` };
}
