import { readYarnLock } from '../../lib/packages/yarn-lock.ts';
import { lockedManager } from './locked-manager.ts';
import { workspacesOf } from './package-json.ts';

export const yarn = lockedManager({
  name: 'yarn',
  readLock: readYarnLock,
  memberGlobs: ({ manifest }) => workspacesOf(manifest),
  whyNotAdd: () => null,
});
