import { lchown, link, lstat, mkdir, rename } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { placing } from '../../../lib/files/atomic-file.ts';
import { loadExchangeNames } from '../../../platform/git/merge/exchange-names.ts';
import type { ExchangeNames } from '../../../platform/git/merge/exchange-names.ts';
import { PROJECT_POLICY, readProjectPolicyText, sha256Of } from '../../../kernel/policy-source/read-policy-text.ts';
import type { PolicyBase } from './propose-update.ts';

export interface PlaceOptions {
  readonly projectRoot: string;
  readonly base: PolicyBase;
  readonly text: string;
  /** How to exchange two names; absent: the system's way. */
  readonly exchange?: ExchangeNames;
}

/**
 * Replaces exactly the expected text by the new one, in one step: readers see the old file or the new one, and a file that another program has put
 * there is put back. The file gets the project's owner, and is on disk when this resolves. `conflict`: nothing is changed.
 */
export async function placePolicy(options: PlaceOptions): Promise<'placed' | 'conflict'> {
  const { projectRoot, base, text } = options;
  const directory = join(projectRoot, '.fluffy');
  const owner = await lstat(projectRoot);
  const handOver = process.getuid?.() === 0;
  // The project's owner can exchange names while this runs, so ownership is changed only of what was created here, never of a link's target.
  if ((await mkdir(directory, { recursive: true })) !== undefined && handOver)
    await lchown(directory, owner.uid, owner.gid);
  // A link could lead anywhere.
  if (!(await lstat(directory)).isDirectory()) return 'conflict';
  const exchange = options.exchange ?? (await loadExchangeNames());
  const target = join(projectRoot, PROJECT_POLICY);
  return placing(target, text, { mode: 0o644, owner: handOver ? owner : undefined }, (temporary) =>
    base === null ? placeNew(temporary, target) : replace({ projectRoot, temporary, target }, base, exchange),
  );
}

interface Names {
  readonly projectRoot: string;
  readonly temporary: string;
  readonly target: string;
}

/** A hard link is created only if the name is free. */
async function placeNew(temporary: string, target: string): Promise<'placed' | 'conflict'> {
  try {
    await link(temporary, target);
    return 'placed';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'conflict';
    throw error;
  }
}

/** Exchanges the names, then checks the replaced file: no other file can be put there unnoticed between check and exchange. */
async function replace(
  { projectRoot, temporary, target }: Names,
  base: NonNullable<PolicyBase>,
  exchange: ExchangeNames,
): Promise<'placed' | 'conflict'> {
  if (!(await holds(projectRoot, target, base))) return 'conflict';
  if (!exchange(temporary, target)) {
    // On a file system without exchange, only the moment between the check above and this rename is unprotected.
    await rename(temporary, target);
    return 'placed';
  }
  if (await holds(projectRoot, temporary, base)) return 'placed';
  exchange(temporary, target);
  return 'conflict';
}

async function holds(projectRoot: string, file: string, base: NonNullable<PolicyBase>): Promise<boolean> {
  const found = await readProjectPolicyText(projectRoot, relative(projectRoot, file));
  return found.kind === 'text' && sha256Of(found.text) === base.sha256;
}
