import { readPnpmLock } from '../../lib/packages/pnpm-lock.ts';
import { workspaceGlobs } from '../../lib/packages/pnpm-settings.ts';
import { lockedManager } from './locked-manager.ts';
import { memberGlobsOf } from './package-json.ts';

export const pnpm = lockedManager({
  name: 'pnpm',
  readLock: readPnpmLock,
  memberGlobs: ({ settings }) => memberGlobsOf(workspaceGlobs(settings?.['pnpm-workspace.yaml'])),
  whyNotAdd: ({ lockfile }) =>
    /^pnpmfileChecksum:/m.test(lockfile ?? '')
      ? 'a .pnpmfile.cjs of the project changes what pnpm resolves, and no hook of a project is run here. Ask the user to run pnpm add.'
      : null,
});
