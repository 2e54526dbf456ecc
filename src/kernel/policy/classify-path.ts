import type { CompiledPolicy, WorkspaceSettings } from './compiled-policy.ts';

/** `sensitive` is independent of the kind: a conftest.py is a test file and sensitive. */
export interface PathClass {
  readonly kind: 'test' | 'docs' | 'source' | 'other';
  readonly sensitive: boolean;
}

/**
 * The role of a file in the workflow, by the first matching list of the policy's `workspace` section. `path` is
 * project-relative.
 */
export function classifyPath(policy: Pick<CompiledPolicy, 'workspace' | 'review'>, path: string): PathClass {
  return { kind: kindOf(policy.workspace, path), sensitive: policy.review.sensitive.matches(path) };
}

function kindOf(
  { tests, notTests, docs, other, source, collects }: WorkspaceSettings,
  path: string,
): PathClass['kind'] {
  const isTest = tests.matches(path) || (collects !== undefined && collects(path));
  if (isTest && !notTests.matches(path)) return 'test';
  if (docs.matches(path)) return 'docs';
  return !other.matches(path) && source.matches(path) ? 'source' : 'other';
}
