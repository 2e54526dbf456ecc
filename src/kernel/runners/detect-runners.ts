import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import { RUNNERS, UNSUPPORTED } from './registry.ts';
import { STRENGTHS } from './runner.ts';
import type { ProjectFiles, Sign } from './runner.ts';
import { detectUnsupported } from './unsupported.ts';

/** A runner that the project's files indicate. */
export interface DetectedRunner {
  readonly command: TestCommand;
  /** Its name for people. */
  readonly title: string;
  readonly supported: boolean;
  readonly strength: Sign['strength'];
  /** For people: `the script "test" in package.json starts it`. */
  readonly because: string;
  readonly named?: Sign['named'];
}

/**
 * Pure: returns the runners of a project directory. The first one runs its tests. `cwd` is the path of the directory in
 * the project.
 */
export function detectRunners(project: ProjectFiles, cwd: string): readonly DetectedRunner[] {
  const candidates = [
    ...RUNNERS.map((runner) => ({ runner, supported: true, sign: runner.detect(project) })),
    ...UNSUPPORTED.map((runner) => ({ runner, supported: false, sign: detectUnsupported(runner, project) })),
  ];
  return candidates
    .flatMap(({ runner: { name, title }, supported, sign }) =>
      sign === null ? [] : [{ name, title, supported, sign }],
    )
    .sort((one, other) => rank(one.sign) - rank(other.sign))
    .map(({ name, title, supported, sign }) => ({
      command: { runner: name, cwd, args: [...sign.args] },
      title,
      supported,
      strength: sign.strength,
      because: sign.because,
      ...(sign.named === undefined ? {} : { named: sign.named }),
    }));
}

function rank({ strength, position = 0 }: Sign): number {
  return STRENGTHS.indexOf(strength) * 1_000_000 + position;
}
