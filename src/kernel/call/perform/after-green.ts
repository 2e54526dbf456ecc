import type { Proof } from '../../../contracts/review/proof.ts';
import type { TestCommand } from '../../../contracts/session/session-protocol.ts';
import { listFirst } from '../../../lib/text/list-first.ts';
import { describeFinding } from '../../proof/observations/observed-findings.ts';
import { leftBehind } from '../../proof/variants/left-behind.ts';
import { partsOf } from '../../runners/command-parts.ts';
import { requireRunner } from '../../runners/registry.ts';

const MAX_NAMED = 4;
/** Findings about work that the source does only while its tests run. */
const WORK_IN_TESTS: ReadonlySet<string> = new Set([
  'replaces-source',
  'absent-module',
  'only-forwards',
  'computed-load',
  'loads-tests',
]);

/**
 * What the model reads after the whole suite has passed: questions that a person would ask and that a better test can
 * answer, and the next call to make. Pure.
 */
export function afterGreen(proof: Proof | null, command: TestCommand): string {
  const left = proof === null ? null : leftBehind(proof.observations);
  if (left === null) return `${unnoticedIn(proof)}${inTests(proof)}Call git.commit with the commit message.`;
  const cleansUp = [...new Set(partsOf(command).map(({ runner }) => requireRunner(runner).cleansUp))].join('; ');
  return `But policy will not approve it by itself: ${left}. Each new case was run twice in one process, and must pass both times. If the reason is state that a case leaves behind (a name in a registry, the next number, a cache), call workflow.revise_tests, let each case clean up (${cleansUp}, or with a fresh instance), then call test.run until the suite passes again. If that state is meant, call git.commit with the commit message: a person decides.`;
}

/**
 * Changes that break the new source without a test that notices; '' if there are none. A test for them can still be
 * added.
 */
function unnoticedIn(proof: Proof | null): string {
  const survivors = proof?.mutants?.survivors.map(({ words }) => words) ?? [];
  const functions = proof?.findings.filter(({ kind }) => kind === 'unnoticed-function').map(({ words }) => words) ?? [];
  if (survivors.length + functions.length === 0) return '';
  const named = listFirst([...functions, ...survivors], { max: MAX_NAMED, separator: '; ' });
  return `The tests did not notice every mutant (a small break in the source): ${named}. A human may have to decide because of it. If such a break would be a fault, call workflow.revise_tests, add a test case that notices it, and call test.run until the suite passes again. Otherwise go on. `;
}

/** What the source does not do without its tests; '' if nothing is known. */
function inTests(proof: Proof | null): string {
  const found = proof?.findings.filter(({ kind }) => WORK_IN_TESTS.has(kind)) ?? [];
  if (found.length === 0) return '';
  const named = listFirst(found, { max: MAX_NAMED, separator: '; ', name: describeFinding });
  return `A human has to decide about this: ${named}. The source has to do the work of the task without its tests. If a part of that work is only in the tests, call workflow.revise_tests, remove it from them, let test.run see them fail, and write it in the source. If the source does all of it, go on. `;
}
