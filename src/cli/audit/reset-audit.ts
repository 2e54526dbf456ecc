import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { userDirs } from '../../contracts/host-layout.ts';
import type { ProjectDirs, UserDirs } from '../../contracts/host-layout.ts';
import { jsonLine } from '../../lib/json-line.ts';
import { anchorKey, approvalKey, beginEpoch } from '../../host/signer/index.ts';
import type { EpochStart } from '../../host/signer/index.ts';
import { listBackups } from '../../platform/sqlite/backups.ts';
import { lastRow } from '../../platform/sqlite/chain-rows.ts';
import { openSnapshot } from '../../platform/sqlite/open-snapshot.ts';
import type { CliServices, GlobalInput } from '../command-line/cli-command.ts';
import type { Answer } from '../config/policy/edit/editor-session.ts';
import { personAtTerminal } from '../config/policy/person-at-terminal.ts';
import { locateProject } from '../open-project.ts';
import { stopIdleSupervisor } from '../supervisor/client/stop-supervisor.ts';
import { verifySigned } from './read-signed.ts';
import { formatVerdict } from './format-verdict.ts';

const PHRASE = 'reset the audit log';

/**
 * `fluffy audit reset`: a person decides that the log continues from its present end. What was signed before stays, and is still verified as an epoch
 * of its own.
 */
export async function resetCommand(input: GlobalInput, { env, output }: CliServices): Promise<ExitCode> {
  const dirs = await locateProject(input.project, { env });
  const person = personAtTerminal({ env, json: input.json });
  try {
    const start = await resetAudit(userDirs(env), dirs, {
      nowMs: Date.now(),
      passphrase: env['FLUFFY_PASSPHRASE'] ?? null,
      ask: async (shown) => person.ask(`${shown}\n\nTo go on, type: ${PHRASE}\n> `),
    });
    output.stdout(
      input.json
        ? jsonLine({ epoch: start.epoch, after: start.entries })
        : `Epoch ${start.epoch} of the audit log begins after record ${start.entries}. fluffy audit verify shows both.\n`,
    );
    return EXIT.done;
  } finally {
    person.close();
  }
}

export interface ResetServices {
  readonly nowMs: number;
  readonly passphrase: string | null;
  /** Shows the verdict and asks for the phrase. */
  readonly ask: (verdict: string) => Promise<Answer>;
}

/**
 * Throws FluffyError `nothing_to_reset`, `not_confirmed`, `project_in_use`, `database_unreadable`, and those of the approval key. Then nothing has
 * been changed.
 */
export async function resetAudit(user: UserDirs, dirs: ProjectDirs, services: ResetServices): Promise<EpochStart> {
  const verdict = await verifySigned(user, dirs);
  if (verdict.intact) throw nothingToReset();
  const answer = await services.ask(formatVerdict(verdict));
  if (typeof answer !== 'string' || answer.trim() !== PHRASE) throw notConfirmed(answer);
  const approver = await approvalKey(user, () => Promise.resolve(services.passphrase));
  if (!(await stopIdleSupervisor(dirs))) throw inUse();
  const key = await anchorKey(user);
  const end = endOfLog(dirs);
  if (end.entries === 0) setArchivesAside(dirs, services.nowMs);
  return await beginEpoch(dirs, end, { approver, key, nowMs: services.nowMs });
}

/** Renames the archives of the lost log. A log that begins again with its first record must not be read as their continuation. */
function setArchivesAside({ archives }: ProjectDirs, nowMs: number): void {
  if (existsSync(archives)) renameSync(archives, `${archives}-before-${nowMs}`);
}

/** The last record, even if earlier ones are damaged. */
function endOfLog(dirs: ProjectDirs): Pick<EpochStart, 'entries' | 'head'> {
  const snapshot = openSnapshot(dirs.database);
  // The next start restores the database, and the log then ends at another record.
  if (snapshot.kind === 'unusable') throw restoreFirst(snapshot.reason);
  if (snapshot.kind === 'missing') {
    if (listBackups(join(dirs.kernel, 'backups')).length > 0) throw restoreFirst('its file is gone');
    return { entries: 0, head: null };
  }
  try {
    const last = lastRow(snapshot.connection, 'audit');
    if (last === null) return { entries: 0, head: null };
    if (last.hash === null || last.id < 1) throw restoreFirst(`its record ${last.id} cannot be read`);
    return { entries: last.id, head: last.hash };
  } finally {
    snapshot.close();
  }
}

function nothingToReset(): FluffyError {
  return new FluffyError({
    code: 'nothing_to_reset',
    what: 'The audit log was not reset',
    why: 'It is intact, and as the host signed it',
    fix: 'Nothing to do; fluffy audit verify has the details',
    exitCode: EXIT.usage,
  });
}

function notConfirmed(answer: Answer): FluffyError {
  return new FluffyError({
    code: 'not_confirmed',
    what: 'The audit log was not reset',
    why: answer === null ? 'Only a human can confirm it, and there is no terminal to ask on' : 'It was not confirmed',
    fix: `Run fluffy audit reset in a terminal and type: ${PHRASE}`,
    exitCode: EXIT.decisionNeeded,
  });
}

function inUse(): FluffyError {
  return new FluffyError({
    code: 'project_in_use',
    what: 'The audit log was not reset',
    why: 'A session of this project is open, and its kernel writes to the log',
    fix: 'End the sessions of this project, then run fluffy audit reset again',
    exitCode: EXIT.usage,
  });
}

function restoreFirst(why: string): FluffyError {
  return new FluffyError({
    code: 'database_unreadable',
    what: 'The audit log was not reset',
    why: `The database has to be restored before: ${why}`,
    fix: 'Run fluffy session list, or start a session: it restores what it can. Then run fluffy audit reset again',
    exitCode: EXIT.failed,
  });
}
