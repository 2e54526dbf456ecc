import { join } from 'node:path';
import { readRegularTextSync } from '../../lib/files/read-regular-file.ts';
import { createIgnoreView } from '../../platform/fs/ignore/ignore-view.ts';
import type { IgnoreView } from '../../platform/fs/ignore/ignore-view.ts';

/** Like git, this does not follow a link to an ignore file. */
const LIMITS = { maxBytes: 1024 * 1024, links: 'refused' } as const;

/** What git ignores in a project, from its own files; for a few queries. */
export function ignoredIn(projectRoot: string): IgnoreView {
  return createIgnoreView({
    ignoreFile: (directory) => readRegularTextSync(join(projectRoot, directory, '.gitignore'), LIMITS),
    exclude: () => readRegularTextSync(join(projectRoot, '.git/info/exclude'), LIMITS),
  });
}
