import { setTimeout as sleep } from 'node:timers/promises';
import type { AnchorRequest } from '../../../contracts/sandbox/guard-api.ts';
import type { ProjectDirs, UserDirs } from '../../../contracts/host-layout.ts';
import { anchorHead, anchorKey, type AnchorResult, type SigningKey } from '../../../host/signer/index.ts';

/**
 * Limits signatures for any number of requests by L1: at most BURST at once, as a commit and the end of its run need them, and one a second on
 * average.
 */
const BURST = 4;
const WINDOW_MS = BURST * 1_000;

/**
 * Signs heads of this project's audit log with the user's anchor key, one after another and on average at most one a second. Heads that arrive in
 * between wait together: the longest one is signed for all of them, so the last is never left out. L1 gets the result.
 */
export function hostAnchor(
  user: UserDirs,
  dirs: ProjectDirs,
  nowMs: () => number,
  pause: (ms: number) => Promise<unknown> = sleep,
): (request: AnchorRequest) => Promise<AnchorResult> {
  let key: Promise<SigningKey> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const signedAtMs: number[] = [];
  let waiting: { newest: AnchorRequest; readonly result: Promise<AnchorResult> } | null = null;

  const signNewest = async (): Promise<AnchorResult> => {
    const oldestMs = signedAtMs.length < BURST ? -Infinity : (signedAtMs[0] ?? -Infinity);
    const sinceMs = nowMs() - oldestMs;
    // A clock that was set back must not make anybody wait longer.
    if (sinceMs < WINDOW_MS) await pause(Math.min(WINDOW_MS, WINDOW_MS - sinceMs));
    const request = waiting?.newest;
    waiting = null;
    if (request === undefined) throw new Error('a signature without a head');
    key ??= anchorKey(user);
    try {
      return await anchorHead(dirs, request, await key, nowMs());
    } catch (error) {
      key = null;
      throw error;
    } finally {
      signedAtMs.push(nowMs());
      if (signedAtMs.length > BURST) signedAtMs.shift();
    }
  };

  return (request) => {
    if (waiting !== null) {
      if (request.entries >= waiting.newest.entries) waiting.newest = request;
      return waiting.result;
    }
    const result = last.then(signNewest);
    waiting = { newest: request, result };
    last = result.catch(() => undefined);
    return result;
  };
}
