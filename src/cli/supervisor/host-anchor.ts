import type { ProjectDirs, UserDirs } from '../../contracts/host-layout.ts';
import type { Anchor } from '../../contracts/ports/host-doors.ts';
import { anchorHead, anchorKey, type SigningKey } from '../../host/signer/index.ts';

/** Signs heads of this project's audit log with the user's anchor key, one after another. L1 is told what came of it. */
export function hostAnchor(user: UserDirs, dirs: ProjectDirs, nowMs: () => number): Anchor {
  let key: Promise<SigningKey> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  return (request) => {
    const result = last.then(async () => {
      key ??= anchorKey(user);
      return anchorHead(dirs, request, await key, nowMs());
    });
    last = result.catch(() => {
      key = null;
    });
    return result;
  };
}
