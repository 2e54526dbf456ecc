import type { CompiledPolicy } from './compiled-policy.ts';

/** `sensitive` is independent of the kind: a conftest.py is a test file and sensitive. */
export interface PathClass {
  readonly kind: 'test' | 'docs' | 'source' | 'other';
  readonly sensitive: boolean;
}

/** What a file is to the workflow: the first list of the policy's `workspace` section that matches. `path` is project-relative. */
export function classifyPath(policy: CompiledPolicy, path: string): PathClass {
  const { tests, docs, source } = policy.workspace;
  const kind = tests.matches(path) ? 'test' : docs.matches(path) ? 'docs' : source.matches(path) ? 'source' : 'other';
  return { kind, sensitive: policy.review.sensitive.matches(path) };
}
