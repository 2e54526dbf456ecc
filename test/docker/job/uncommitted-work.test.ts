import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { FluffyEvent } from '../../../src/contracts/session/events.ts';
import { bodies } from '../../support/job/event-bodies.ts';
import { giveAway, PARSE_CONFIG_FILES } from '../../support/job/job-project.ts';
import type { JobScene } from '../../support/job/job-scene.ts';
import { COMMIT, PLAN, RUN_TESTS, STRAIGHT, WRITE_TEST } from '../../support/job/parse-config-turns.ts';
import { sharedScene } from '../../support/job/shared-scene.ts';
import { snapshotTree } from '../../support/snapshot-tree.ts';
import { calls } from '../../support/wire/script.ts';
import type { Script } from '../../support/wire/script.ts';

const TASK = 'Add error handling to parseConfig';
const FILES = {
  ...PARSE_CONFIG_FILES,
  '.gitignore': 'node_modules/\n',
  'src/messages.js': "export const empty = 'nothing in it';\n",
  'notes.md': 'one\n',
  'plan.md': 'one\n',
};
const HELPER = "export const empty = 'nothing in it';\nexport const notJson = 'the configuration is not valid JSON';\n";
const SOURCE_WITH_HELPER = `import { notJson } from './MODULE.js';

export function parseConfig(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(notJson, { cause: error });
  }
}
`;

const writeSource = (module: string) =>
  calls({
    tool: 'fs.write',
    input: { path: 'src/parse-config.js', content: SOURCE_WITH_HELPER.replace('MODULE', module) },
  });
const GIVE_UP = calls({ tool: 'task.give_up', input: { reason: 'It needs what is not committed' } });

const shared = sharedScene({ files: FILES });
afterAll(() => shared.close());
const scene = (script: Script): Promise<JobScene> => shared.begin(script);

/** The user's half-done work, of every kind; answers what must be the same afterwards. */
function beInTheMiddle({ project }: JobScene, write: (path: string, text: string) => void) {
  write('notes.md', 'staged\n');
  project.git('add', 'notes.md');
  write('notes.md', 'staged, and dirty\n');
  rmSync(join(project.root, 'plan.md'));
  write('scratch.txt', 'untracked\n');
  giveAway(project.root);
  return () => ({
    index: project.git('ls-files', '--stage', '--', 'notes.md', 'plan.md', 'src/messages.js'),
    status: project.git('status', '--porcelain'),
    tree: Object.fromEntries(
      Object.entries(snapshotTree(project.root)).filter(
        ([path]) => !/^\.git(\/|$)|^(src\/parse-config|test\/bad)/.test(path),
      ),
    ),
  });
}

const runsOf = (events: readonly FluffyEvent[]) => events.filter((event) => event.type === 'test.finished');

describe('a task in the middle of the user’s own work', () => {
  it.each<[string, string, (write: (path: string, text: string) => void) => void]>([
    ['a tracked file that is dirty', 'messages', (write) => write('src/messages.js', HELPER)],
    ['a file that is not tracked', 'helper', (write) => write('src/helper.js', HELPER)],
  ])('is not done while its tests pass only with %s', async (_, module, dirty) => {
    const s = await scene([PLAN, WRITE_TEST, RUN_TESTS, writeSource(module), RUN_TESTS, COMMIT, GIVE_UP]);
    const write = (path: string, text: string) => writeFileSync(join(s.project.root, path), text);
    dirty(write);
    const mine = beInTheMiddle(s, write);
    const before = { mine: mine(), head: s.project.git('rev-parse', 'HEAD') };

    const result = await s.run(['-p', TASK]);
    expect(result.code).toBe(9);
    expect(runsOf(result.events).map((event) => event.outcome)).toEqual(['failed', 'passed']);
    const refused = bodies(result.events, 'tool.finished').flatMap(({ ok, error }) => (ok ? [] : [error?.code]));
    expect(refused).toContain('plain_run_failed');
    const told = s.model.requests.at(-1)?.bytes ?? '';
    expect(told).toContain(`src/${module}.js`);
    expect(told).toMatch(/only together with uncommitted work of the user/);
    expect({ mine: mine(), head: s.project.git('rev-parse', 'HEAD') }).toEqual(before);
  });

  it('goes to the user when its tests pass without all of that, and touches none of it', async () => {
    const s = await scene(STRAIGHT);
    const write = (path: string, text: string) => writeFileSync(join(s.project.root, path), text);
    const mine = beInTheMiddle(s, write);
    const before = mine();

    const waiting = await s.run(['-p', TASK]);
    expect(waiting.code).toBe(4);
    expect(runsOf(waiting.events).map((event) => event.outcome)).toEqual(['failed', 'passed', 'passed']);
    const card = waiting.events.find((event) => event.type === 'review.requested');
    expect(card).toMatchObject({
      reasons: expect.arrayContaining([expect.stringContaining('ran again without')]) as string[],
    });
    expect(mine()).toEqual(before);

    const approved = await s.home.run(['review', '--approve', '--json'], { cwd: s.project.root });
    expect(approved.code).toBe(0);
    expect(mine()).toEqual(before);
    expect(s.project.git('show', '--name-only', '--format=', 'HEAD').trim().split('\n').sort()).toEqual([
      'src/parse-config.js',
      'test/bad-config.test.js',
    ]);
    const digest = /Fluffy-Evidence: ([0-9a-f]{64})/.exec(s.project.git('log', '-1', '--format=%B'))?.[1] ?? '';
    const path = `${digest.slice(0, 2)}/${digest.slice(2)}.json`;
    const envelope = JSON.parse(s.project.git('show', `refs/fluffy/evidence:${path}`)) as { payload: string };
    const statement = JSON.parse(Buffer.from(envelope.payload, 'base64').toString('utf8')) as {
      predicate: { facts: { tree: string; green: { repeated: { tree: string; passed: number } } } };
    };
    const { tree, green } = statement.predicate.facts;
    expect(green.repeated).toMatchObject({ tree, passed: 2 });
    expect(tree).toBe(s.project.git('rev-parse', 'HEAD^{tree}').trim());
  });
});
