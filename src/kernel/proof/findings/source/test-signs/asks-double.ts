import type { Inspection, Place } from '../../finding.ts';
import { calledThings } from './doubles/called-things.ts';
import { comparedTypes } from './doubles/compared-types.ts';
import { partsIn } from './doubles/declared-values.ts';
import { kindsOfDoubles } from './doubles/kinds-of-doubles.ts';
import { membersOfDoubles } from './doubles/members-of-doubles.ts';

/** Source that checks whether it received a test double. It could do its work only then. */
export const asksDouble: Inspection = {
  kind: 'asks-if-tested',
  *look(file, change) {
    const known = { file, partsOf: partsIn(file), called: calledThings(file) };
    const places: Place[] = [...membersOfDoubles(known), ...kindsOfDoubles(known), ...comparedTypes(known, change)];
    yield* new Map(places.map((each) => [each.line, each])).values();
  },
};
