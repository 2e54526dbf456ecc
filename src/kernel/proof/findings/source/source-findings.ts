import type { Inspection } from '../finding.ts';
import { accidentalError } from './answers/accidental-error.ts';
import { answeringProxy } from './answers/answering-proxy.ts';
import { asksCompiled } from './test-signs/asks-compiled.ts';
import { asksDouble } from './test-signs/asks-double.ts';
import { asksIfTested } from './test-signs/asks-if-tested.ts';
import { asksRuby } from './test-signs/asks-ruby.ts';
import { asksRuntime } from './test-signs/asks-runtime.ts';
import { asksEnvironment } from './test-signs/asks-environment.ts';
import { decidesByRuntime } from './test-signs/decides-by-runtime.ts';
import { asksIndirectly } from './test-signs/asks-indirectly.ts';
import { computedLoad } from './test-signs/computed-load.ts';
import { computedInputs } from './answers/computed-inputs.ts';
import { constantAnswer } from './answers/constant-answer.ts';
import { constantConversion } from './answers/constant-conversion.ts';
import { countedCalls } from './recorded-state/counted-calls.ts';
import { countedRuby } from './recorded-state/counted-ruby.ts';
import { countedCompiled } from './recorded-state/counted-compiled.ts';
import { endsProcess } from './judge/ends-process.ts';
import { expectedNumbers } from './answers/expected-numbers.ts';
import { globalState } from './recorded-state/global-state.ts';
import { ignoredArguments } from './answers/ignored-arguments.ts';
import { indexedAnswers } from './answers/indexed-answers.ts';
import { loadsDocuments } from './test-signs/loads-documents.ts';
import { loadsTestData } from './test-signs/loads-test-data.ts';
import { loadsTests } from './test-signs/loads-tests.ts';
import { madeAtRunTime } from './unexamined/made-at-run-time.ts';
import { namesRunner } from './test-signs/names-runner.ts';
import { onlyForwards } from './seams/only-forwards.ts';
import { narrowBounds } from './answers/narrow-bounds.ts';
import { packedAnswers } from './answers/packed-answers.ts';
import { patchesAssertions } from './judge/patches-assertions.ts';
import { patchesRuby } from './judge/patches-ruby.ts';
import { plainCpp } from './unexamined/plain-cpp.ts';
import { plainPhp, truthOfPhp } from './unexamined/plain-php.ts';
import { readsItself } from './test-signs/reads-itself.ts';
import { redefinedEquality } from './judge/redefined-equality.ts';
import { rememberedCalls } from './recorded-state/remembered-calls.ts';
import { rewritesModule } from './judge/rewrites-module.ts';
import { specialCasedInput } from './answers/special-cased-input.ts';
import { unfinishedFunction } from './answers/unfinished-function.ts';
import { writesTests } from './judge/writes-tests.ts';

/** In the order in which their findings are shown. */
export const SOURCE_INSPECTIONS: readonly Inspection[] = [
  specialCasedInput,
  indexedAnswers,
  packedAnswers,
  narrowBounds,
  expectedNumbers,
  computedInputs,
  constantAnswer,
  unfinishedFunction,
  onlyForwards,
  redefinedEquality,
  constantConversion,
  answeringProxy,
  countedCalls,
  countedCompiled,
  countedRuby,
  ignoredArguments,
  rememberedCalls,
  globalState,
  loadsTests,
  loadsDocuments,
  computedLoad,
  loadsTestData,
  namesRunner,
  asksIfTested,
  asksIndirectly,
  asksCompiled,
  asksRuby,
  asksRuntime,
  asksEnvironment,
  decidesByRuntime,
  asksDouble,
  writesTests,
  endsProcess,
  patchesAssertions,
  patchesRuby,
  rewritesModule,
  accidentalError,
  readsItself,
  madeAtRunTime,
  plainPhp,
  truthOfPhp,
  plainCpp,
];

/** Source inspections that also apply to test files. */
export const ALSO_OF_TESTS: readonly Inspection[] = [
  endsProcess,
  patchesAssertions,
  patchesRuby,
  writesTests,
  plainPhp,
  plainCpp,
];
