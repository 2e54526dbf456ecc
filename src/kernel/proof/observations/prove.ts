import { OBSERVATION_TITLES } from '../../../contracts/proof.ts';
import type { Finding, Observation } from '../../../contracts/proof.ts';
import type { Red } from '../../../contracts/session-facts.ts';
import type { TestCommand } from '../../../contracts/session-protocol.ts';
import { oneLine } from '../../../lib/one-line.ts';
import { classifyPath } from '../../policy/index.ts';
import { collectsInProject } from '../../runners/collected-name.ts';
import { requireRunner } from '../../runners/registry.ts';
import type { SessionContext } from '../../services.ts';
import { isChange, sensitiveTo } from '../changed-files.ts';
import { inspectChange } from '../findings/inspect-change.ts';
import { runTests } from '../run-tests.ts';
import { withoutSource } from '../without-source.ts';
import { changedTexts } from './changed-texts.ts';
import { asObservation, observe } from './observe.ts';
import { judgeRemoval, redFiles } from './removal.ts';

export interface Proven {
  readonly observations: readonly Observation[];
  readonly findings: readonly Finding[];
  /** Cases that differed between two runs of the same tree; none of them counts. */
  readonly flaky: readonly string[];
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
    return { observations: [removal], findings: [], flaky: [] };
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
    const [removed, inspected] = await Promise.all([removal, inspection]);
    return {
      observations: [...(red.stand_ins === undefined ? [] : [red.stand_ins]), removed, inspected].map(asObservation),
      findings: inspected.findings,
      flaky: removed.flaky,
    };
  } finally {
    await view.close();
  }
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
