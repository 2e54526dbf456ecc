import type { LoadLine } from '../case-report.ts';
import { firstMissing } from '../missing-module.ts';
import type { Missing } from '../missing-module.ts';
import { commandDirectory } from '../runner.ts';
import type { PlanInput } from '../runner.ts';

const PATTERNS: readonly RegExp[] = [
  /^No module named '(?<specifier>[\p{L}\p{N}_.]+)'/u,
  /^cannot import name '(?<export>[\p{L}\p{N}_]+)' from '(?<specifier>[\p{L}\p{N}_.]+)'/u,
];

/**
 * Pure: what an import lacks. A dotted name becomes a path below the command's directory when its outermost package is the project's or does not exist:
 * only such a name may be the task's to create. A name missing from an installed package keeps its dots and so leads nowhere. A circular import names
 * a module that exists, and is no match.
 */
export function missingPythonModule(plan: PlanInput, line: LoadLine): Missing | null {
  const imports = line.type === 'ModuleNotFoundError' || line.type === 'ImportError';
  const missing = imports ? firstMissing(PATTERNS, line.message) : null;
  if (missing === null || line.place === undefined || line.place === 'elsewhere') return missing;
  return { ...missing, specifier: `${commandDirectory(plan)}/${missing.specifier.replaceAll('.', '/')}` };
}
