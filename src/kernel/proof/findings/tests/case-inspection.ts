import type { InspectedChange } from '../finding.ts';
import type { WrittenCase, WrittenTests } from './languages/test-case.ts';

/** An inspection that looks at one test case at a time. */
export interface CaseInspection {
  readonly kind: string;
  look(written: WrittenCase, tests: WrittenTests, text: string, change: InspectedChange): string | null;
}
