import type { LoadLine } from '../case-report.ts';
import { type Missing, missingPythonFrom } from '../missing-module.ts';
import type { PlanInput } from '../runner-adapter.ts';

/**
 * Pure: what an import lacks. A dotted name becomes a path below the command's directory when its outermost package is the project's, or nobody's:
 * only such a name may be the task's to create. A name missing from an installed package keeps its dots and so resolves nowhere.
 */
export function missingPythonModule(plan: PlanInput, line: LoadLine): Missing | null {
  const missing = missingPythonFrom(line.type, line.message);
  if (missing === null || line.place === undefined || line.place === 'elsewhere') return missing;
  const directory = [plan.projectRoot, plan.command.cwd].filter((part) => part !== '').join('/');
  return { ...missing, specifier: `${directory}/${missing.specifier.replaceAll('.', '/')}` };
}
