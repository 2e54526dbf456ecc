import type { TestCommand } from '../../contracts/session/session-protocol.ts';
import { RUNNERS, UNSUPPORTED } from './registry.ts';
import { STRENGTHS } from './runner.ts';
import type { ProjectFiles, Sign } from './runner.ts';
import { detectUnsupported } from './unsupported.ts';

/** A runner that a project's own files speak for. */
export interface DetectedRunner {
  readonly command: TestCommand;
  /** As a person names it. */
  readonly title: string;
  readonly supported: boolean;
  readonly strength: Sign['strength'];
  /** For humans: `the script "test" in package.json starts it`. */
  readonly because: string;
  readonly named?: Sign['named'];
}

/** Pure: the runners of a directory of a project, the one that its tests run with first. `cwd` is the directory's path in the project. */
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
