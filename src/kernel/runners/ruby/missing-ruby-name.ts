import type { LoadLine } from '../case-report.ts';
import { missingInPackage } from '../missing-module.ts';
import type { Missing } from '../missing-module.ts';
import { commandDirectory } from '../runner.ts';
import type { PlanInput } from '../runner.ts';

/**
 * Pure: returns what was missing while a test file was loaded. A feature that does not exist becomes a path in `lib`,
 * where `require` finds it. A constant belongs to some source of the project. null for names that an installed gem
 * needs and for test helpers: the task may not create them.
 */
export function missingRubyName(plan: PlanInput, { type, message, place }: LoadLine): Missing | null {
  if (place === undefined || place === 'elsewhere') return null;
  const directory = commandDirectory(plan);
  if (type === 'LoadError') {
    const feature = /^cannot load such file -- (\S+)/.exec(message)?.[1];
    if (feature === undefined || /(?:^|\/)(?:test|spec)_?helper$/.test(feature)) return null;
    const path = feature.startsWith('/') ? feature : `${directory}/lib/${feature}`;
    return { specifier: path.endsWith('.rb') ? path : `${path}.rb` };
  }
  const constant = type === 'NameError' ? /^uninitialized constant ([\w:]+)/.exec(message)?.[1] : undefined;
  return constant === undefined ? null : missingInPackage(directory, constant);
}
