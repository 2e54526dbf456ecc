import { OBSERVATION_TITLES } from '../../../contracts/proof.ts';
import type { Finding, Observation } from '../../../contracts/proof.ts';
import type { Red } from '../../../contracts/session-facts.ts';
import type { TestCommand } from '../../../contracts/session-protocol.ts';
import type { EvidenceReason } from '../../../contracts/tool-errors.ts';
import { oneLine } from '../../../lib/one-line.ts';
import { classifyPath } from '../../policy/index.ts';
import { collectsInProject } from '../../runners/collected-name.ts';
import { requireRunner } from '../../runners/registry.ts';
import type { SessionContext } from '../../services.ts';
import { isChange, sensitiveTo } from '../changed-files.ts';
import { inspectChange } from '../findings/inspect-change.ts';
import { observePlain } from '../plain/observe-plain.ts';
import { runTests } from '../run-tests.ts';
import { describeCase } from '../test-case-id.ts';
import type { TestCaseId } from '../test-case-id.ts';
import { withoutSource } from '../without-source.ts';
import { changedTexts } from './changed-texts.ts';
import { asObservation, observe } from './observe.ts';
import { judgeRemoval, redFiles } from './removal.ts';

export interface Proven {
  readonly observations: readonly Observation[];
  readonly findings: readonly Finding[];
  /** Why the change is not ready for review, for the model. */
  readonly refusal: { readonly code: EvidenceReason; readonly why: string } | null;
}

const MAX_SHOWN = 160;

/** Everything that is observed once the suite is green, in a second view of the project and in the session's own. */
export async function prove(context: SessionContext, command: TestCommand, red: Red): Promise<Proven> {
  const { services, session, workspace, signal } = context;
  const changes = await workspace.changes();
  const isSensitive = sensitiveTo(command, services.options.project_root);
  const kept = changes.filter(({ path, after }) => {
    const kind = classifyPath(services.policy(), path);
    return after.kind === 'file' && !(isChange(kind) && !isSensitive(kind, path));
  });
  const view = await withoutSource(services, workspace, kept);
  if (view.kind === 'failed') {
    const detail = `${view.path} could not be set up`;
    const removal: Observation = { observation: 'removal', outcome: 'impossible', detail, duration_ms: 0 };
    return { observations: [removal], findings: [], refusal: null };
  }
  try {
    const files = redFiles(red);
    const removal = observe(services, session, 'removal', async () => {
      const [without, again] = await Promise.all([
        runTests(services, { ...view, session }, command, files, signal),
        runTests(services, { id: session.id, workspace, session }, command, files, signal),
      ]);
      return judgeRemoval(red, without, again);
    });
    const inspection = observe(services, session, 'findings', async () => {
      const runner = requireRunner(command.runner);
      const isCollected = (path: string): boolean => collectsInProject(runner, command, path);
      const project = await services.workspaces.scratch();
      try {
        const texts = await changedTexts(services.policy(), workspace, project.workspace, changes, isCollected);
        const findings = await inspectChange(texts, services.parseSyntax);
        const detail = findings.length === 0 ? 'none' : findings.map(describeFinding).join('; ');
        return {
          outcome: findings.length === 0 ? 'held' : 'failed',
          detail: oneLine(detail, 1_000),
          findings,
        } as const;
      } finally {
        await project.close();
      }
    });
    const plain = observe(services, session, 'plain', () => observePlain(context, command));
    const [removed, inspected, plainly] = await Promise.all([removal, inspection, plain]);
    const made = [...(red.stand_ins === undefined ? [] : [red.stand_ins]), removed, plainly, inspected];
    return {
      observations: made.map(asObservation),
      findings: inspected.findings,
      refusal: refusalOf(removed.flaky, plainly.failure),
    };
  } finally {
    await view.close();
  }
}

function refusalOf(flaky: readonly string[], failure: string | null): Proven['refusal'] {
  if (flaky.length > 0) return { code: 'flaky', why: whyFlaky(flaky) };
  return failure === null ? null : { code: 'plain_run_failed', why: failure };
}

function whyFlaky(cases: readonly string[]): string {
  const named = cases.slice(0, 5).map((id) => describeCase(id as TestCaseId));
  return `Not the same in two runs of the same files: ${named.join('; ')}. A new test has to fail each time without the new source, and pass each time with it. Go back with workflow.revise_tests and take out what changes between runs: clock, chance, files left behind, order, state kept between cases.`;
}

/** What a person has to look at before this is committed. */
export function reasonsOf({ observations, findings }: Proven): string[] {
  const unproven = observations.filter(({ outcome }) => outcome === 'impossible');
  return [
    ...findings.map((finding) => `Look at ${describeFinding(finding)}`),
    ...unproven.map(({ observation, detail }) => `${OBSERVATION_TITLES[observation]}: not possible, ${detail}`),
  ];
}

/** `src/a.js:3: it names vitest`. */
export function describeFinding({ path, line, words }: Finding): string {
  return oneLine(`${path}:${line}: ${words}`, MAX_SHOWN);
}
