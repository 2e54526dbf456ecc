import { classifyPath } from './classify-path.ts';
import type { CompiledPolicy, ExemptionCategory } from './compiled-policy.ts';

/**
 * The paths that the category does not cover; empty if the exemption fits. An unknown or missing category covers
 * nothing. The condition `typeOnlyChange` is not checked here, because it concerns what is written later. Tests are
 * never exempt. A file that controls how the project is built or tested is never text or documentation, whatever its
 * name: `CMakeLists.txt` is no text.
 */
export function pathsOutsideExemption(
  policy: Pick<CompiledPolicy, 'workspace' | 'review' | 'tddExemptions'>,
  category: ExemptionCategory,
  paths: readonly string[],
): readonly string[] {
  const settings = policy.tddExemptions.get(category);
  if (settings === undefined) return paths;
  return paths.filter((path) => {
    const { kind, sensitive } = classifyPath(policy, path);
    if (kind === 'test' || (sensitive && category !== 'config_change' && kind !== 'docs')) return true;
    return !settings.paths.every((globs) => globs.matchesLeaf(path));
  });
}
