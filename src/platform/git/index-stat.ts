import type { BigIntStats } from 'node:fs';
import type { IndexStat } from '../../lib/git/git-index.ts';

/** The lstat data that git's index stores for a file. */
export function indexStat(stat: BigIntStats): IndexStat {
  const low = (value: bigint): number => Number(BigInt.asUintN(32, value));
  return {
    ctimeSeconds: low(stat.ctimeNs / 1_000_000_000n),
    ctimeNanoseconds: low(stat.ctimeNs % 1_000_000_000n),
    mtimeSeconds: low(stat.mtimeNs / 1_000_000_000n),
    mtimeNanoseconds: low(stat.mtimeNs % 1_000_000_000n),
    dev: low(stat.dev),
    ino: low(stat.ino),
    uid: low(stat.uid),
    gid: low(stat.gid),
    size: low(stat.size),
  };
}
