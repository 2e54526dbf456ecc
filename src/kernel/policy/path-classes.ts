import { classifyPath } from './classify-path.ts';
import type { PolicyRequest } from '../../contracts/policy.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import type { RuleClass } from './rules/rule-class.ts';
import { EXEMPTION_CATEGORIES } from './compiled-policy.ts';
import { pathsOutsideExemption } from './exemption-covers.ts';

/** The classes of a path that a rule can name (`path_class`), by the policy's own sections, so that rules move with them. */
export function pathClasses(
  policy: Pick<CompiledPolicy, 'workspace' | 'review' | 'tddExemptions'>,
  path: string,
  request?: Pick<PolicyRequest, 'syscall' | 'state'>,
): ReadonlySet<RuleClass> {
  const { kind, sensitive } = classifyPath(policy, path);
  const isTest = kind === 'source' && request !== undefined && writesTests(policy, path, request);
  const classes = new Set<RuleClass>([isTest ? 'test' : kind]);
  if (sensitive) classes.add('sensitive');
  const covers = EXEMPTION_CATEGORIES.some((category) => pathsOutsideExemption(policy, category, [path]).length === 0);
  if (covers) classes.add('exempt');
  return classes;
}

/**
 * A source that tests can be written into is asked about as a test while only tests are written. What of it changes is judged where it is written: anything
 * but its tests is refused there.
 */
function writesTests(
  { workspace }: Pick<CompiledPolicy, 'workspace'>,
  path: string,
  { syscall, state }: Pick<PolicyRequest, 'syscall' | 'state'>,
): boolean {
  const isText = syscall === 'fs.write' || syscall === 'fs.edit';
  return (
    isText && (state === 'test_writing' || state === 'retroactive_testing') && workspace.holdsTests?.(path) === true
  );
}
