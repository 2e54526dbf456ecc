import type { LoadLine } from '../case-report.ts';
import { missingInPackage } from '../missing-module.ts';
import type { Missing } from '../missing-module.ts';
import { commandDirectory } from '../runner.ts';
import type { PlanInput } from '../runner.ts';

const REQUIRED = /^Failed opening required '([^']+)'/;
const NAMED = /^(?:Class|Interface|Trait|Enum) "([\w\\]+)" not found|^Call to undefined function ([\w\\]+)\(/;

/**
 * Pure: returns what was missing while a test file was loaded. A required file is given by its path; a class or
 * function belongs to some source of the project. null for names that an installed package needs and for the bootstrap
 * file: the task may not create them.
 */
export function missingPhpName(plan: PlanInput, { message, place }: LoadLine): Missing | null {
  if (place !== 'project') return null;
  const directory = commandDirectory(plan);
  const path = REQUIRED.exec(message)?.[1];
  if (path !== undefined) {
    if (/(?:^|\/)(?:vendor\/|bootstrap\.php$)/.test(path)) return null;
    return { specifier: path.startsWith('/') ? path : `${directory}/${path}` };
  }
  const [, type, call] = NAMED.exec(message) ?? [];
  const name = type ?? call;
  return name === undefined || /^PHPUnit\\/i.test(name) ? null : missingInPackage(directory, name);
}
