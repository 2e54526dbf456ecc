import { isProvedWithoutRed } from '../../contracts/review/change-kinds.ts';
import type { EvidenceDecision, EvidenceFacts, TestCaseName } from '../../contracts/review/evidence.ts';
import { unprovenReasons } from './unproven.ts';

type Red = NonNullable<EvidenceFacts['red']>;
type Green = NonNullable<EvidenceFacts['green']>;

/**
 * Contradictions in the facts of one commit, as sentences without a subject; empty if the facts are consistent. Kernel, host and verifier use the
 * same check, so that nothing is signed that a verifier would refuse. Pure.
 */
export function factsProblems(facts: EvidenceFacts): string[] {
  const { red, green, mode } = facts;
  const problems: string[] = [];
  if (repeats(facts.changes.map(({ path }) => path))) problems.push('a path changes twice');
  if (mode === 'strict' && green === null) problems.push('nothing was green in strict mode');
  if (green !== null) problems.push(...greenProblems(green, facts));
  if (red === null) return problems;
  problems.push(...redProblems(red, facts));
  if (green === null) problems.push('tests were red and never green');
  else problems.push(...turnProblems(red, green));
  return problems;
}

/** Why this decision is not possible for these facts. Signatures are verified elsewhere. Pure. */
export function decisionProblems(facts: EvidenceFacts, decision: EvidenceDecision): string[] {
  if (decision.by === 'human') return [];
  const problems: string[] = [];
  const isProvedOtherwise = isProvedWithoutRed(facts.kind);
  if (facts.red === null && !isProvedOtherwise && !coveredByExemption(facts)) {
    problems.push('policy alone approved a change without a failing test or an exemption');
  }
  const unproven = facts.proof === undefined && !isProvedOtherwise ? [] : unprovenReasons(facts);
  if (unproven.length > 0) problems.push(`policy alone approved a change that is not proved (${unproven.join('; ')})`);
  if (facts.revisions.length > 0) problems.push('policy alone approved a change whose tests were revised');
  return problems;
}

function coveredByExemption({ exemption, changes }: EvidenceFacts): boolean {
  return exemption !== null && changes.every(({ path }) => exemption.paths.includes(path));
}

function redProblems(red: Red, { changes }: EvidenceFacts): string[] {
  const problems: string[] = [];
  if (red.failed.length === 0) problems.push('no test failed in the red run');
  if (red.test_files.length + (red.tests_in_sources?.length ?? 0) === 0)
    problems.push('the red run froze no test file');
  if (repeats([...red.test_files, ...(red.tests_in_sources ?? [])].map(({ path }) => path)))
    problems.push('a test file is frozen twice');
  const after = new Map(changes.map((change) => [change.path, change.after]));
  for (const { path, sha256 } of red.test_files) {
    const state = after.get(path);
    if (state !== undefined && (state.kind !== 'file' || state.sha256 !== sha256)) {
      problems.push(`${path} has changed since it failed`);
    }
  }
  return problems;
}

/** A case that fails at the end must have failed before the session began. */
function greenProblems(green: Green, { pre_existing: old, tree }: EvidenceFacts): string[] {
  const { repeated } = green;
  const elsewhere = repeated !== undefined && repeated.tree !== tree;
  const early = repeated !== undefined && (repeated.at_ms < green.at_ms || repeated.run_id === green.run_id);
  const known = new Set(old.failed.map(key));
  const broken = new Set(old.broken_files);
  const failing = allFailed(green)
    .filter((each) => !known.has(key(each)) && !broken.has(each.file))
    .map((each) => `${each.file} › ${each.name} fails, and did not before`);
  return [
    ...(elsewhere ? ['the tests were repeated on another tree'] : []),
    ...(early ? ['the repetition is not a later run'] : []),
    ...failing,
  ];
}

/**
 * Red before green, in separate runs, and each red case passes. The staging digests are not compared, because red is also observed without the staged
 * source.
 */
function turnProblems(red: Red, green: Green): string[] {
  const problems: string[] = [];
  if (red.run_id === green.run_id) problems.push('red and green are one run');
  if (red.at_ms >= green.at_ms) problems.push('green is not later than red');
  if (green.passed === 0) problems.push('no test passed in the green run');
  const turned = new Set(green.turned.map(key));
  const failing = new Set(allFailed(green).map(key));
  for (const each of red.failed) {
    if (!turned.has(key(each))) problems.push(`${each.file} › ${each.name} was red and never passed`);
    if (failing.has(key(each))) problems.push(`${each.file} › ${each.name} was red and still fails`);
  }
  if (turned.size !== new Set(red.failed.map(key)).size)
    problems.push('the tests that passed are not those that failed');
  return problems;
}

/** Failures of the deciding run, and of its repetition on the tree alone. */
function allFailed({ failed, repeated }: Green): readonly TestCaseName[] {
  return repeated === undefined ? failed : [...failed, ...repeated.failed];
}

const key = ({ file, name }: TestCaseName): string => `${file}\0${name}`;

function repeats(values: readonly string[]): boolean {
  return new Set(values).size !== values.length;
}
