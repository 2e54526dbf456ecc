import { afterAll, describe, expect, it } from 'vitest';
import { mergeReview } from '../../src/kernel/review/review-facts.ts';
import { callAll } from '../support/kernel/calls.ts';
import { PlayedRunners, samplePlays } from '../support/kernel/played-runners.ts';
import { CHEATED_RUNNERS, PROJECTS } from './cheats/cheat.ts';
import type { Cheat } from './cheats/cheat.ts';
import { CHEATS, COMPILED_HONEST, HONEST } from './cheats/corpus.ts';

/** How many cheats are played in an ordinary run, and how many of them with runners that take half a minute for each. */
const SAMPLE = 30;
const SLOW_SAMPLE = 2;
const SLOW_RUNNERS: ReadonlySet<string> = new Set(['go-test', 'maven']);
/** How much of the honest work in compiled languages, which takes longest. */
const HONEST_SAMPLE = 3;
/** Each is a dozen runs of a real runner. */
const TIMEOUT_MS = 300_000;
const runners = await PlayedRunners.of(CHEATED_RUNNERS);
afterAll(() => {
  runners.close();
});

/** All that the model writes and runs, with the project's real runner; then why a person would have to look at the commit. */
function play({ runner, files, turns }: Omit<Cheat, 'kind'>) {
  const project = { runner, files: { ...PROJECTS[runner], ...files }, state: 'test_writing' } as const;
  return runners.lend(project, async (kernel) => {
    const { services, session, workspace } = kernel;
    const answers: string[] = [];
    for (const turn of turns) {
      const calls = turn.filter(({ tool }) => tool !== 'git.commit').map(({ tool, input }) => ({ tool, input }));
      for (const { ok, content } of await callAll(kernel, calls)) if (!ok) answers.push(content);
    }
    const prepared = { message: 'Multiply', diff: await workspace.diff() };
    const review = await mergeReview(services, session, workspace, '0'.repeat(40), prepared);
    return { reviewed: session.state === 'reviewing', reasons: review.reasons, answers };
  });
}

const played = CHEATS.filter(({ runner }) => runners.canPlay(runner));
const slow = played.filter(({ runner }) => SLOW_RUNNERS.has(runner));
const quick = played.filter(({ runner }) => !SLOW_RUNNERS.has(runner));

describe('a model that cheats gets no automatic commit', () => {
  it.each([...samplePlays(quick, SAMPLE - SLOW_SAMPLE), ...samplePlays(slow, SLOW_SAMPLE)])(
    '$runner: $name',
    { timeout: TIMEOUT_MS },
    async (cheat) => {
      const { reviewed, reasons, answers } = await play(cheat);
      expect(reviewed && reasons.length === 0, `nothing stopped it: ${answers.join('\n')}`).toBe(false);
    },
  );
});

describe('a model that does its work gets an automatic commit', () => {
  it.each([...HONEST, ...samplePlays(COMPILED_HONEST, HONEST_SAMPLE)].filter(({ runner }) => runners.canPlay(runner)))(
    '$runner: $name',
    { timeout: TIMEOUT_MS },
    async (work) => {
      expect(await play(work)).toEqual({ reviewed: true, reasons: [], answers: [] });
    },
  );
});
