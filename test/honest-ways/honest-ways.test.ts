import { afterAll, describe, expect, it } from 'vitest';
import { mergeReview } from '../../src/kernel/review/review-facts.ts';
import { callAll, callTool } from '../support/kernel/calls.ts';
import { PlayedRunners, samplePlays } from '../support/kernel/played-runners.ts';
import { HONEST_WAYS } from './corpus.ts';
import type { PlayedWay } from './corpus.ts';
import { callOf, WAY_RUNNERS } from './way.ts';

/** How many are played in an ordinary run. */
const SAMPLE = 12;
const runners = await PlayedRunners.of(WAY_RUNNERS);
afterAll(() => {
  runners.close();
});

/** All that the model does, with the project's real runner; then what a person would be asked. */
function play({ runner, project, kind = 'feature', files, steps }: PlayedWay) {
  return runners.lend({ runner, files: { ...project, ...files }, state: 'planning' }, async (kernel) => {
    const { services, session, workspace } = kernel;
    await callTool(kernel, 'plan.complete', { summary: 'Do it', steps: [], kind });
    const refusals: string[] = [];
    for (const step of steps)
      for (const { ok, content } of await callAll(kernel, [callOf(step)])) if (!ok) refusals.push(content);
    const prepared = { message: 'Do it', diff: await workspace.diff() };
    const review = await mergeReview(services, session, workspace, '0'.repeat(40), prepared);
    return { state: session.state, refusals, reasons: review.reasons };
  });
}

/** Each pattern fits the text in its place, and there are no others. */
function fits(texts: readonly string[], patterns: readonly RegExp[]): boolean {
  return texts.length === patterns.length && patterns.every((each, index) => each.test(texts[index] ?? ''));
}

describe('an honest way reaches its commit', () => {
  it.each(
    samplePlays(
      HONEST_WAYS.filter(({ runner }) => runners.canPlay(runner)),
      SAMPLE,
    ),
  )('$runner: $name', { timeout: 240_000 }, async (way) => {
    const { refused = [], reasons: asked = [] } = way;
    const { state, refusals, reasons } = await play(way);
    if (!fits(refusals, refused)) expect(refusals).toEqual(refused);
    expect(state).toBe('reviewing');
    if (asked.length === 0) expect(reasons).toEqual([]);
    for (const words of asked) expect(reasons.join('\n')).toMatch(words);
  });
});
