import type { Inspection } from '../finding.ts';
import { accidentalError } from './accidental-error.ts';
import { answeringProxy } from './answering-proxy.ts';
import { asksCompiled } from './asks-compiled.ts';
import { asksIfTested } from './asks-if-tested.ts';
import { asksRuby } from './asks-ruby.ts';
import { asksIndirectly } from './asks-indirectly.ts';
import { constantAnswer } from './constant-answer.ts';
import { constantConversion } from './constant-conversion.ts';
import { countedCalls } from './counted-calls.ts';
import { countedRuby } from './counted-ruby.ts';
import { countedCompiled } from './counted-compiled.ts';
import { endsProcess } from './ends-process.ts';
import { expectedNumbers } from './expected-numbers.ts';
import { globalState } from './global-state.ts';
import { indexedAnswers } from './indexed-answers.ts';
import { loadsTests } from './loads-tests.ts';
import { madeAtRunTime } from './made-at-run-time.ts';
import { namesRunner } from './names-runner.ts';
import { narrowBounds } from './narrow-bounds.ts';
import { packedAnswers } from './packed-answers.ts';
import { patchesAssertions } from './patches-assertions.ts';
import { patchesRuby } from './patches-ruby.ts';
import { readsItself } from './reads-itself.ts';
import { redefinedEquality } from './redefined-equality.ts';
import { rememberedCalls } from './remembered-calls.ts';
import { rewritesModule } from './rewrites-module.ts';
import { specialCasedInput } from './special-cased-input.ts';
import { writesTests } from './writes-tests.ts';

/** In the order in which they are shown. */
export const SOURCE_INSPECTIONS: readonly Inspection[] = [
  specialCasedInput,
  indexedAnswers,
  packedAnswers,
  narrowBounds,
  expectedNumbers,
  constantAnswer,
  redefinedEquality,
  constantConversion,
  answeringProxy,
  countedCalls,
  countedCompiled,
  countedRuby,
  rememberedCalls,
  globalState,
  loadsTests,
  namesRunner,
  asksIfTested,
  asksIndirectly,
  asksCompiled,
  asksRuby,
  writesTests,
  endsProcess,
  patchesAssertions,
  patchesRuby,
  rewritesModule,
  accidentalError,
  readsItself,
  madeAtRunTime,
];

/** Those of the above that a test has no business with either. */
export const ALSO_OF_TESTS: readonly Inspection[] = [endsProcess, patchesAssertions, patchesRuby, writesTests];
