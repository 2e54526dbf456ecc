import { classifyPath } from './classify-path.ts';
import type { PolicyRequest } from '../../contracts/policy.ts';
import type { CompiledPolicy } from './compiled-policy.ts';
import type { RuleClass } from './rules/rule-class.ts';
import { EXEMPTION_CATEGORIES } from './compiled-policy.ts';
import { pathsOutsideExemption } from './exemption-covers.ts';

/**
 * The classes of a path that a rule can name in `path_class`. They come from the policy's own sections, so rules change
 * together with them.
 */
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
 * While only tests are written, a source file that can contain tests is decided like a test. Its content is checked
 * when it is written: any change other than of its tests is refused then.
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
