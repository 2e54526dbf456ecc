import type { InspectedChange, InspectedFile, Place } from '../finding.ts';
import { caseChanges, newUnread } from './case-changes.ts';
import type { CaseInspection } from './case-inspection.ts';
import { heirsIn } from './languages/php-bases.ts';
import type { InheritedCase } from './languages/php-bases.ts';

/**
 * Yields the findings of one inspection for the cases that classes of a file inherit, in the bodies that their bases
 * have. It looks at the new cases, and at all cases of a class with another base than before.
 */
export function* lookAtInherited(
  inspection: CaseInspection,
  file: InspectedFile,
  change: InspectedChange,
): Generator<Place> {
  const newLines = new Set(newUnread(file).map(({ line }) => line));
  for (const { line, cases } of heirsIn(file, change)) {
    for (const each of cases ?? []) {
      const isNew = change.reported.some(({ file: path, name }) => path === file.path && each.isReportedAs(name));
      if ((!isNew && !newLines.has(line)) || isExaminedThere(each, change)) continue;
      const { written, tests, owner } = each;
      const words = inspection.look(written, tests, owner.text, change);
      if (words !== null) yield { line, words: `the case ${written.name}, inherited from ${owner.path}, ${words}` };
    }
  }
}

/** A changed file is examined itself, but only its new and changed cases. */
function isExaminedThere({ owner, written }: InheritedCase, { tests }: InspectedChange): boolean {
  return tests.includes(owner) && caseChanges(owner)(written);
}
