/**
 * A process that merges and is killed on the way: `node merge-child.ts ROOT STATE STEP WHEN`. With WHEN `before` or `after` it kills
 * itself at that step's call; a number lets the disk make that many calls of the step first.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mergePlanSchema } from '../../src/contracts/review/merge-plan.ts';
import { runMerge } from '../../src/kernel/commit/merge/run-merge.ts';
import { Disk } from '../../src/platform/git/merge/disk.ts';
import { mergeWorld, OWNER } from './merge-fixture.ts';

const [root = '', state = '', stepArgument = '', when = ''] = process.argv.slice(2);
const killAt = Number(stepArgument);
const plan = mergePlanSchema.parse(JSON.parse(readFileSync(join(state, 'plan.json'), 'utf8')));

if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(OWNER.gid);
  process.setuid?.(OWNER.uid);
}

const die = (): void => void process.kill(process.pid, 'SIGKILL');
let step = -1;
let callsInStep = 0;
const disk = new Disk(() => {
  callsInStep++;
  if (step === killAt && callsInStep === Number(when)) die();
});
const world = mergeWorld(root, state, { disk });
await runMerge(
  {
    log: world.log,
    target: {
      ...world.target,
      async apply(operation, applied) {
        step = plan.steps.indexOf(applied);
        callsInStep = 0;
        if (step === killAt && when === 'before') die();
        const outcome = await world.target.apply(operation, applied);
        if (step === killAt && when === 'after') die();
        return outcome;
      },
    },
  },
  plan,
);
