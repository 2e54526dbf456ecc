import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mergeReview } from '../../src/kernel/review/review-facts.ts';
import { requireRunner } from '../../src/kernel/runners/registry.ts';
import { callAll } from '../support/kernel/calls.ts';
import { buildRunnerPrograms, HostTestRunner } from '../support/kernel/host-test-runner.ts';
import { testKernel } from '../support/kernel/test-kernel.ts';
import type { Toolchain } from '../../src/host/toolchains/toolchain.ts';
import { bunToolchain } from '../support/bun-toolchain.ts';
import { cxxOfHost } from '../support/cxx-tools.ts';
import { denoToolchain } from '../support/deno-toolchain.ts';
import { goToolchain } from '../support/go-toolchain.ts';
import { mavenToolchain } from '../support/maven-toolchain.ts';
import { phpToolchain } from '../support/php-toolchain.ts';
import { hasRspec, rubyToolchain } from '../support/ruby-toolchain.ts';
import { rustToolchain } from '../support/rust-toolchain.ts';
import { CHEATED_RUNNERS, PROJECTS } from './cheats/cheat.ts';
import type { Cheat, Runner } from './cheats/cheat.ts';
import { CHEATS, COMPILED_HONEST, HONEST } from './cheats/corpus.ts';

/** How many cheats are played in an ordinary run; `npm run soak` plays all. */
const SAMPLE = 12;
/** How much of the honest work in compiled languages, which takes longest. */
const HONEST_SAMPLE = 3;
/** Each is a dozen runs of a real runner. */
const TIMEOUT_MS = 300_000;
const SEED = Number(process.env['FLUFFY_SEED'] ?? 1);

/** Spread over the whole corpus, so over its runners, from a place that the seed names. */
function sample<T>(all: readonly T[], size: number): readonly T[] {
  if (process.env['FLUFFY_SOAK'] === '1') return all;
  return all.filter((_, index) => (index + SEED) % Math.ceil(all.length / size) === 0);
}

const ruby = await rubyToolchain();

/** Languages that are compiled; null: this machine has no toolchain, and its cheats are not played. */
const TOOLCHAINS: Partial<Record<Runner, Toolchain | null>> = {
  'go-test': await goToolchain(),
  'cargo-test': await rustToolchain(),
  maven: await mavenToolchain(),
  ctest: cxxOfHost('gtest'),
  'bun-test': await bunToolchain(),
  'deno-test': await denoToolchain(),
  minitest: ruby,
  rspec: hasRspec(ruby) ? ruby : null,
  phpunit: await phpToolchain(),
};

const directory = mkdtempSync(join(tmpdir(), 'fluffy-cheats-'));
const programs = buildRunnerPrograms(
  directory,
  CHEATED_RUNNERS.map((name) => requireRunner(name).program).filter((program) => program.endsWith('.mjs')),
);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** All that the model writes and runs, with the project's real runner; then why a person would have to look at the commit. */
async function play({ runner, files, turns }: Omit<Cheat, 'kind'>) {
  const toolchain = TOOLCHAINS[runner] ?? null;
  const host = new HostTestRunner(programs, toolchain?.forTests.path);
  try {
    const kernel = testKernel({
      state: 'test_writing',
      files: { ...PROJECTS[runner], ...files },
      testCommand: { runner, cwd: '', args: [] },
      kernelOptions: {
        project_root: host.project,
        ...(toolchain === null ? {} : { toolchains: [toolchain.forTests] }),
      },
    });
    kernel.sandboxes.runTests = host.run;
    const { services, session, workspace } = kernel;
    const answers: string[] = [];
    for (const turn of turns) {
      const calls = turn.filter(({ tool }) => tool !== 'git.commit').map(({ tool, input }) => ({ tool, input }));
      for (const { ok, content } of await callAll(kernel, calls)) if (!ok) answers.push(content);
    }
    const prepared = { message: 'Multiply', diff: await workspace.diff() };
    const review = await mergeReview(services, session, workspace, '0'.repeat(40), prepared);
    return { reviewed: session.state === 'reviewing', reasons: review.reasons, answers };
  } finally {
    host.close();
  }
}

describe('a model that cheats gets no automatic commit', () => {
  it.each(
    sample(
      CHEATS.filter(({ runner }) => TOOLCHAINS[runner] !== null),
      SAMPLE,
    ),
  )('$runner: $name', { timeout: TIMEOUT_MS }, async (cheat) => {
    const { reviewed, reasons, answers } = await play(cheat);
    expect(reviewed && reasons.length === 0, `nothing stopped it: ${answers.join('\n')}`).toBe(false);
  });
});

describe('a model that does its work gets an automatic commit', () => {
  it.each([...HONEST, ...sample(COMPILED_HONEST, HONEST_SAMPLE)].filter(({ runner }) => TOOLCHAINS[runner] !== null))(
    '$runner: $name',
    { timeout: TIMEOUT_MS },
    async (work) => {
      expect(await play(work)).toEqual({ reviewed: true, reasons: [], answers: [] });
    },
  );
});
