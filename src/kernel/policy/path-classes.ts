import { classifyPath } from './classify-path.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import type { RuleClass } from './rules/rule-class.ts';
import { EXEMPTION_CATEGORIES } from './compiled-policy.ts';
import { pathsOutsideExemption } from './exemption-covers.ts';

/** The classes of a path that a rule can name (`path_class`), by the policy's own sections, so that rules move with them. */
export function pathClasses(
  policy: Pick<CompiledPolicy, 'workspace' | 'review' | 'tddExemptions'>,
  path: string,
): ReadonlySet<RuleClass> {
  const { kind, sensitive } = classifyPath(policy, path);
  const classes = new Set<RuleClass>([kind]);
  if (sensitive) classes.add('sensitive');
  const covers = EXEMPTION_CATEGORIES.some((category) => pathsOutsideExemption(policy, category, [path]).length === 0);
  if (covers) classes.add('exempt');
  return classes;
}
