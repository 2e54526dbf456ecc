import { createHash, randomBytes } from 'node:crypto';
import { lchown, link, lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { loadExchangeNames } from '../../../platform/git/merge/exchange-names.ts';
import type { ExchangeNames } from '../../../platform/git/merge/exchange-names.ts';
import { PROJECT_POLICY } from './policy-source.ts';
import { readProjectPolicyText } from './policy-text.ts';
import type { PolicyBase } from './propose-update.ts';

export interface PlaceOptions {
  readonly projectRoot: string;
  readonly base: PolicyBase;
  readonly text: string;
  /** How two names change places; left out: the system's way. */
  readonly exchange?: ExchangeNames;
}

/**
 * Puts the text in place of exactly the one it is meant to replace, in one step: readers see the old file or the new one, and a file that somebody else has
 * put there is put back. Belongs to whoever the project belongs to, and is on disk when this resolves. `conflict`: nothing is changed.
 */
export async function placePolicy(options: PlaceOptions): Promise<'placed' | 'conflict'> {
  const { projectRoot, base, text } = options;
  const directory = join(projectRoot, '.fluffy');
  const owner = await lstat(projectRoot);
  const handOver = process.getuid?.() === 0;
  // Whoever owns the project can swap names while this runs: what is handed over is what was made, never what a link leads to.
  if ((await mkdir(directory, { recursive: true })) !== undefined && handOver)
    await lchown(directory, owner.uid, owner.gid);
  // A link could lead anywhere.
  if (!(await lstat(directory)).isDirectory()) return 'conflict';
  const temporary = join(directory, `.policy.yaml.${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(temporary, 'wx', 0o644);
    try {
      await file.writeFile(text, 'utf8');
      if (handOver) await file.chown(owner.uid, owner.gid);
      await file.sync();
    } finally {
      await file.close();
    }
    const target = join(projectRoot, PROJECT_POLICY);
    const exchange = options.exchange ?? (await loadExchangeNames());
    const outcome =
      base === null ? await placeNew(temporary, target) : await replace(temporary, target, base, exchange);
    await sync(directory);
    return outcome;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A link is made only where nothing bears the name. */
async function placeNew(temporary: string, target: string): Promise<'placed' | 'conflict'> {
  try {
    await link(temporary, target);
    return 'placed';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return 'conflict';
    throw error;
  }
}

/** The names change places, and what was displaced is looked at: nobody can have put another file there between look and step. */
async function replace(
  temporary: string,
  target: string,
  base: NonNullable<PolicyBase>,
  exchange: ExchangeNames,
): Promise<'placed' | 'conflict'> {
  if (!(await holds(target, base))) return 'conflict';
  if (!exchange(temporary, target)) {
    // A file system that cannot do it: what is left is the moment between the look above and this.
    await rename(temporary, target);
    return 'placed';
  }
  if (await holds(temporary, base)) return 'placed';
  exchange(temporary, target);
  return 'conflict';
}

async function holds(file: string, base: NonNullable<PolicyBase>): Promise<boolean> {
  const found = await readProjectPolicyText(file);
  return found.kind === 'text' && createHash('sha256').update(found.text, 'utf8').digest('hex') === base.sha256;
}

async function sync(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
