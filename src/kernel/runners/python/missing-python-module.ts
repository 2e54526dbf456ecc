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
 * Pure: returns what an import could not find. A dotted name becomes a path below the command's directory if its first
 * package belongs to the project or does not exist, because the task may create it. A name that is missing in an
 * installed package keeps its dots, so it leads to no path. A circular import does not match: its module exists.
 */
export function missingPythonModule(plan: PlanInput, line: LoadLine): Missing | null {
  const imports = line.type === 'ModuleNotFoundError' || line.type === 'ImportError';
  const missing = imports ? firstMissing(PATTERNS, line.message) : null;
  if (missing === null || line.place === undefined || line.place === 'elsewhere') return missing;
  return { ...missing, specifier: `${commandDirectory(plan)}/${missing.specifier.replaceAll('.', '/')}` };
}
