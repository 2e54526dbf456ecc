import { lstat, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { ExitCode } from '../../../contracts/exit-codes.ts';
import { EXIT } from '../../../contracts/exit-codes.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import type { UserDirs } from '../../../contracts/host-layout.ts';
import { anchorPublicKey, knownApprovalKey } from '../../../host/signer/index.ts';
import type { GradeCondition } from '../../../lib/evidence/conditions.ts';
import { jsonLine } from '../../../lib/json-line.ts';
import { openHistory } from '../../../platform/git/history.ts';
import { locateRepository } from '../../../platform/git/locate-repository.ts';
import type { RepositoryPlace } from '../../../platform/git/locate-repository.ts';
import type { Output } from '../../output/output.ts';
import { projectError } from '../../project/project-problem.ts';
import { formatRange } from './format-range.ts';
import { loadKeys } from './trusted-keys.ts';
import type { TrustedKeys } from './trusted-keys.ts';
import { rangeExitCode, verifyRange } from './verify-range.ts';

export interface RangeCommand {
  readonly range: string;
  /** Files and directories; empty: the user's own keys and those below `<config>/trust/keys`. */
  readonly keys: readonly string[];
  /** Conditions for each commit of the range. */
  readonly require: readonly GradeCondition[];
  readonly project: string | undefined;
  readonly json: boolean;
}

/** `fluffy audit verify --range A..B`: works in any clone, without kernel, container or state directory. Runs no git and writes nothing. */
export async function verifyRangeCommand(command: RangeCommand, user: UserDirs, output: Output): Promise<ExitCode> {
  const start = resolve(command.project ?? '.');
  const place = await locateRepository(await realpath(start).catch(() => start));
  if (place === null) throw projectError({ kind: 'not-a-repository' }, start);
  const keys = command.keys.length > 0 ? await givenKeys(command.keys, place) : await ownKeys(user);
  const history = openHistory(place);
  try {
    const unsupported = await history.unsupported();
    if (unsupported !== null) throw projectError({ kind: 'unsupported', what: unsupported }, start);
    const verdict = await verifyRange({ history, range: command.range, keys, require: command.require });
    output.stdout(command.json ? jsonLine(verdict) : `${formatRange(verdict)}\n`);
    return rangeExitCode(verdict);
  } finally {
    await history.close();
  }
}

function givenKeys(paths: readonly string[], { root, gitDir, commonDir }: RepositoryPlace): Promise<TrustedKeys> {
  return loadKeys(paths, [...(root === null ? [] : [root]), gitDir, commonDir]);
}

/** This user's own public keys, and those in the user's configuration. No key is created. */
async function ownKeys(user: UserDirs): Promise<TrustedKeys> {
  const [host, approver] = [await anchorPublicKey(user), await knownApprovalKey(user)];
  const directory = join(user.trust, 'keys');
  const kept = (await isThere(directory)) ? await loadKeys([directory], []) : { hosts: [], approvers: [] };
  return {
    hosts: [...new Set([...(host === null ? [] : [host]), ...kept.hosts])],
    approvers: [...new Set([...(approver === null ? [] : [approver]), ...kept.approvers])],
  };
}

/** Whether the directory exists and nobody else can write to it. */
async function isThere(directory: string): Promise<boolean> {
  const found = await lstat(directory).catch(() => null);
  if (found === null) return false;
  if (found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0) return true;
  throw new FluffyError({
    code: 'trust_unsafe',
    what: `The keys in ${directory} are not used`,
    why: 'it is not a directory of yours, or others can write to it',
    fix: `Check its content, then run chown and chmod 700 ${directory}`,
    exitCode: EXIT.usage,
  });
}
