import type { InspectedChange } from '../finding.ts';
import type { WrittenCase, WrittenTests } from './test-case.ts';

/** One kind of finding about a test case by itself. */
export interface CaseInspection {
  readonly kind: string;
  look(written: WrittenCase, tests: WrittenTests, text: string, change: InspectedChange): string | null;
}
