import type { ChangeSet } from '../../../contracts/review/change-set.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { classifyPath } from '../../policy/index.ts';
import type { Services } from '../../services.ts';
import { isChange, sensitiveTo } from '../changed-files.ts';

export interface SplitChanges {
  /** The change that the tests are for. */
  readonly source: ChangeSet;
  /** Tests, and files that decide how tests run. */
  readonly rest: ChangeSet;
}

/** Depends only on the policy in force. */
export function splitChanges(services: Services, command: TestCommand, changes: ChangeSet): SplitChanges {
  const policy = services.policy();
  const isSensitive = sensitiveTo(command, services.options.project_root);
  const isSource = (path: string): boolean => {
    const kind = classifyPath(policy, path);
    return isChange(kind) && !isSensitive(kind, path);
  };
  return {
    source: changes.filter(({ path }) => isSource(path)),
    rest: changes.filter(({ path }) => !isSource(path)),
  };
}
