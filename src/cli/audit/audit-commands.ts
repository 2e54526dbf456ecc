import { userDirs } from '../../contracts/host-layout.ts';
import type { ProjectDirs, UserDirs } from '../../contracts/host-layout.ts';
import type { GradeCondition } from '../../lib/evidence/conditions.ts';
import { EXIT } from '../../contracts/exit-codes.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { anchorPublicKey, newestLine, readAnchors } from '../../host/signer/index.ts';
import type { Anchor } from '../../host/signer/index.ts';
import type { CliServices, GlobalInput } from '../command-line/cli-command.ts';
import { auditLog } from './audit-log.ts';
import { formatVerdict } from './format-verdict.ts';
import { refuseLostDatabase } from './lost-database.ts';
import { auditExitCode, verifyAudit } from './verify-audit.ts';
import type { AnchorsRead, EpochRead } from './verify-audit.ts';
import { readSigned } from './read-signed.ts';
import { printKeys } from './range/print-keys.ts';
import { verifyRangeCommand } from './range/range-command.ts';
import { locateProject } from '../open-project.ts';
import { usage } from '../usage-error.ts';
import { jsonLine } from '../../lib/json-line.ts';

/** `fluffy audit log|verify|keys`: reads on the host, without a container, and trusts neither database nor anchors nor repository. */

export async function printAuditLog(
  input: GlobalInput & { readonly limit: number | undefined },
  { env, output }: CliServices,
): Promise<ExitCode> {
  const dirs = await locateProject(input.project, { env, output });
  let isEmpty = true;
  await auditLog({
    databasePath: dirs.database,
    archives: dirs.archives,
    json: input.json,
    ...(input.limit === undefined ? {} : { limit: input.limit }),
    write: (line) => {
      isEmpty = false;
      output.stdout(`${line}\n`);
      return output.drained();
    },
  });
  if (isEmpty) await refuseLostDatabase(dirs, env);
  return EXIT.done;
}

/** Verifies the log, or with a range the commits in it. */
export async function verifyCommand(
  input: GlobalInput & {
    readonly range: string | undefined;
    /** A file of heads that were stored elsewhere. */
    readonly anchors: string | undefined;
    /** Files and directories of trusted keys; empty: the user's own. */
    readonly keys: readonly string[];
    readonly require: readonly GradeCondition[];
  },
  { env, output }: CliServices,
): Promise<ExitCode> {
  const { range } = input;
  if (range !== undefined) return await verifyRangeCommand({ ...input, range }, userDirs(env), output);
  const dirs = await locateProject(input.project, { env, output });
  const verdict = await verifyAudit({
    databasePath: dirs.database,
    archives: dirs.archives,
    readAnchors: async () =>
      withKept(await readSigned(userDirs(env), dirs), await readKept(input.anchors, userDirs(env), dirs)),
  });
  output.stdout(input.json ? jsonLine(verdict) : `${formatVerdict(verdict)}\n`);
  return auditExitCode(verdict);
}

/** `fluffy audit anchor`: prints the newest signed line unchanged, to be stored where this machine cannot change it later. */
export async function anchorCommand(input: GlobalInput, { env, output }: CliServices): Promise<ExitCode> {
  const dirs = await locateProject(input.project, { env, output });
  const line = await newestLine(dirs, (await anchorPublicKey(userDirs(env))) ?? '');
  if (line === null) throw usage('the host has signed no head of this project yet', 'Run a session first');
  output.stdout(`${line}\n`);
  return EXIT.done;
}

/** Heads that were stored elsewhere. Throws FluffyError `usage` for a file without any head of this project by this host. */
async function readKept(file: string | undefined, user: UserDirs, dirs: ProjectDirs): Promise<readonly Anchor[]> {
  if (file === undefined) return [];
  const { epochs, unreadable } = await readAnchors(
    { id: dirs.id, anchors: file },
    (await anchorPublicKey(user)) ?? '',
    'any-epoch',
  );
  const kept = epochs.flatMap(({ anchors }) => anchors);
  if (kept.length === 0)
    throw usage(
      `${file} contains no head of this project that this host has signed${unreadable === undefined ? '' : `: ${unreadable}`}`,
    );
  return kept;
}

/** Each head is added to its own epoch. A head of a missing epoch shows that the file of signed heads was truncated. */
function withKept([first, ...later]: AnchorsRead, kept: readonly Anchor[]): AnchorsRead {
  const added = (epoch: EpochRead): EpochRead => ({
    ...epoch,
    anchors: [...epoch.anchors, ...kept.filter((anchor) => (anchor.epoch ?? 1) === epoch.epoch)],
  });
  const epochs: AnchorsRead = [added(first), ...later.map(added)];
  const newest = Math.max(1, ...kept.map(({ epoch = 1 }) => epoch));
  const current = epochs.at(-1) ?? first;
  if (newest <= current.epoch) return epochs;
  const doubt = `anchors: a head of epoch ${newest} was kept, but the host's own file knows only epoch ${current.epoch}`;
  return [{ ...current, doubt }];
}

export function keysCommand(input: GlobalInput, { env, output }: CliServices): Promise<ExitCode> {
  return printKeys(input.json, userDirs(env), output);
}
