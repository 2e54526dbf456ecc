import { chownSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectIdOf } from '../../../src/cli/supervisor/instance.ts';
import { stopSupervisor } from '../../../src/cli/supervisor/client/stop-supervisor.ts';
import { projectDirs, userDirs } from '../../../src/contracts/host-layout.ts';
import type { ProjectDirs } from '../../../src/contracts/host-layout.ts';
import type { FluffyHome } from '../../../test/support/job/fluffy-home.ts';
import { makeFluffyHome } from '../../../test/support/job/fluffy-home.ts';
import type { JobProject } from '../../../test/support/job/job-project.ts';
import { makeJobProject } from '../../../test/support/job/job-project.ts';
import type { Benchmark } from '../benchmark.ts';
import { interleave } from '../interleave.ts';
import { makeAuditLog } from '../make-audit-log.ts';
import { summarise } from '../statistics.ts';

const SIZES = [100, 1_000_000];
const AIM = 1.2;

export const kernelStart: Benchmark = {
  name: 'kernel start',
  what: "From the start of `fluffy -p` to the first event of its session, in a project without a supervisor: supervisor, kernel's container, database, socket. With an audit log of 100 records and one of 1,000,000, each closed in order before and, without the mark that says so, as a killed kernel leaves it.",
  dominates:
    'The container and Node in it. Of the log only the newest 500 records are looked at before the kernel serves, and after a kernel that was killed the tables that a start reads.',
  async measure({ directory }) {
    const replay = join(directory, 'turns.jsonl');
    writeFileSync(replay, '{"text":"Nothing."}\n');
    const places = SIZES.map((records) => makePlace(records, replay));
    try {
      const timed = await interleave(
        places.flatMap((place) => [
          { name: nameOf(place), once: () => start(place, 'closed') },
          { name: `${nameOf(place)}, after a kernel that was killed`, once: () => start(place, 'killed') },
        ]),
        { warmUp: 1, atMost: 10, atLeast: 5, budgetMs: 60_000 },
      );
      const rows = timed.map(({ name, samples }) => ({ name, summary: summarise(samples) }));
      const [small, smallKilled, large, largeKilled] = rows;
      if (!small || !smallKilled || !large || !largeKilled) throw new Error('nothing was timed');
      return {
        tables: [{ title: 'start to the first event', unit: 'ms', rows }],
        verdicts: [
          {
            what: 'start with 1,000,000 records to one with 100',
            value: large.summary.p50 / small.summary.p50,
            unit: '',
            aim: { kind: 'at most', value: AIM },
          },
          {
            what: 'the same, after a kernel that was killed',
            value: largeKilled.summary.p50 / smallKilled.summary.p50,
            unit: '',
            aim: { kind: 'at most', value: AIM },
          },
        ],
      };
    } finally {
      for (const { home, project } of places) {
        await home.remove([project.root]);
        project.remove();
      }
    }
  },
};

interface Place {
  readonly records: number;
  readonly replay: string;
  readonly home: FluffyHome;
  readonly project: JobProject;
  readonly dirs: ProjectDirs;
}

const nameOf = ({ records }: Place): string => `${records.toLocaleString('en-US')} records`;

/** A project whose kernel finds that log at its first start, at which the host reads and signs all of it. */
function makePlace(records: number, replay: string): Place {
  const project = makeJobProject();
  const home = makeFluffyHome();
  const dirs = projectDirs(userDirs(home.env), project.root, projectIdOf(project.root));
  mkdirSync(dirs.kernel, { recursive: true, mode: 0o700 });
  makeAuditLog({ path: dirs.database, backups: join(dirs.kernel, 'backups') }, records);
  // The kernel runs as the owner of the project.
  const { uid, gid } = statSync(project.root);
  const made = readdirSync(dirs.kernel).map((name) => join(dirs.kernel, name));
  for (const path of [dirs.kernel, ...made]) chownSync(path, uid, gid);
  return { records, replay, home, project, dirs };
}

/** Milliseconds. */
async function start({ replay, home, project, dirs }: Place, left: 'closed' | 'killed'): Promise<number> {
  if (left === 'killed') rmSync(`${dirs.database}.clean`, { force: true });
  const startedMs = Date.now();
  const { code, events, stderr } = await home.run(
    ['-p', 'Say nothing', '--mode', 'explore', '--model', `replay/${replay}`, '--output-format', 'stream-json'],
    { cwd: project.root },
  );
  const first = events[0];
  if (code !== 0 || first === undefined) throw new Error(`the run ended with ${code}: ${stderr}`);
  await stopSupervisor(dirs);
  return first.ts - startedMs;
}
