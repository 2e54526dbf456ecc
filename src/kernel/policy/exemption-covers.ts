import type { CompiledPolicy, ExemptionCategory } from './compiled-policy.ts';

/** The paths that the category does not cover; empty if the exemption fits. An unknown or missing category covers nothing. */
export function pathsOutsideExemption(
  policy: CompiledPolicy,
  category: ExemptionCategory,
  paths: readonly string[],
): readonly string[] {
  const settings = policy.tddExemptions.get(category);
  if (settings === undefined) return paths;
  return paths.filter((path) => !settings.paths.every((globs) => globs.matches(path)));
}
