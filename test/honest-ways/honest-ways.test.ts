import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mergeReview } from '../../src/kernel/review/review-facts.ts';
import { requireRunner } from '../../src/kernel/runners/registry.ts';
import { callAll, callTool } from '../support/kernel/calls.ts';
import { buildRunnerPrograms, HostTestRunner } from '../support/kernel/host-test-runner.ts';
import { testKernel } from '../support/kernel/test-kernel.ts';
import { HONEST_WAYS } from './corpus.ts';
import type { Toolchain } from '../../src/host/toolchains/toolchain.ts';
import { bunToolchain } from '../support/bun-toolchain.ts';
import { cxxOfHost } from '../support/cxx-tools.ts';
import { denoToolchain } from '../support/deno-toolchain.ts';
import { goToolchain } from '../support/go-toolchain.ts';
import { phpToolchain } from '../support/php-toolchain.ts';
import { hasRspec, rubyToolchain } from '../support/ruby-toolchain.ts';
import { rustToolchain } from '../support/rust-toolchain.ts';
import type { PlayedWay } from './corpus.ts';
import { callOf, WAY_RUNNERS } from './way.ts';
import type { WayRunner } from './way.ts';

/** How many are played in an ordinary run; `npm run soak` plays all. */
const SAMPLE = 12;
const SEED = Number(process.env['FLUFFY_SEED'] ?? 1);

/** Spread over the whole corpus, so over its runners, from a place that the seed names. */
function sample(ways: readonly PlayedWay[]): readonly PlayedWay[] {
  if (process.env['FLUFFY_SOAK'] === '1') return ways;
  return ways.filter((_, index) => (index + SEED) % Math.ceil(ways.length / SAMPLE) === 0);
}

const ruby = await rubyToolchain();

/** Languages that are compiled; null: this machine has no toolchain, and its ways are not played. */
const TOOLCHAINS: Partial<Record<WayRunner, Toolchain | null>> = {
  'cargo-test': await rustToolchain(),
  'go-test': await goToolchain(),
  'bun-test': await bunToolchain(),
  'deno-test': await denoToolchain(),
  minitest: ruby,
  rspec: hasRspec(ruby) ? ruby : null,
  phpunit: await phpToolchain(),
  ctest: cxxOfHost(),
};

const directory = mkdtempSync(join(tmpdir(), 'fluffy-honest-'));
const programs = buildRunnerPrograms(
  directory,
  WAY_RUNNERS.map((name) => requireRunner(name).program).filter((program) => program.endsWith('.mjs')),
);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** All that the model does, with the project's real runner; then what a person would be asked. */
async function play({ runner, project, kind = 'feature', files, steps }: PlayedWay) {
  const toolchain = TOOLCHAINS[runner] ?? null;
  const host = new HostTestRunner(programs, toolchain?.forTests.path);
  try {
    const kernel = testKernel({
      state: 'planning',
      files: { ...project, ...files },
      testCommand: { runner, cwd: '', args: [] },
      kernelOptions: {
        project_root: host.project,
        ...(toolchain === null ? {} : { toolchains: [toolchain.forTests] }),
      },
    });
    kernel.sandboxes.runTests = host.run;
    const { services, session, workspace } = kernel;
    await callTool(kernel, 'plan.complete', { summary: 'Do it', steps: [], kind });
    const refusals: string[] = [];
    for (const step of steps)
      for (const { ok, content } of await callAll(kernel, [callOf(step)])) if (!ok) refusals.push(content);
    const prepared = { message: 'Do it', diff: await workspace.diff() };
    const review = await mergeReview(services, session, workspace, '0'.repeat(40), prepared);
    return { state: session.state, refusals, reasons: review.reasons };
  } finally {
    host.close();
  }
}

/** Each pattern fits the text in its place, and there are no others. */
function fits(texts: readonly string[], patterns: readonly RegExp[]): boolean {
  return texts.length === patterns.length && patterns.every((each, index) => each.test(texts[index] ?? ''));
}

describe('an honest way reaches its commit', () => {
  it.each(sample(HONEST_WAYS.filter(({ runner }) => TOOLCHAINS[runner] !== null)))(
    '$runner: $name',
    { timeout: 240_000 },
    async (way) => {
      const { refused = [], reasons: asked = [] } = way;
      const { state, refusals, reasons } = await play(way);
      if (!fits(refusals, refused)) expect(refusals).toEqual(refused);
      expect(state).toBe('reviewing');
      if (asked.length === 0) expect(reasons).toEqual([]);
      for (const words of asked) expect(reasons.join('\n')).toMatch(words);
    },
  );
});
