import { z } from 'zod';
import { IN_L2 } from '../../../contracts/sandbox/container-paths.ts';
import { OWN_NODE } from '../../../contracts/sandbox/sandbox-programs.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';
import { lastText } from '../../../lib/text/first-last.ts';
import { oneLine } from '../../../lib/text/one-line.ts';
import { parseJson } from '../../../lib/parse-json.ts';
import { maskedVolumes } from '../../runtime-guard/build-container.ts';
import type { Engine } from '../engine-api.ts';
import type { ImageFacts, Unusable } from './judge-image.ts';
import { OLDEST_NODE } from '../sandbox-node.ts';
import { runThrowaway } from '../throwaway-container.ts';

/** The settings of sandboxes. */
export interface ProbedAs {
  readonly uid: number;
  readonly gid: number;
  /** Text of the seccomp profile for project code. */
  readonly seccomp: string;
  /** Directory of Fluffy's programs. */
  readonly programs: string;
}

export interface FoundProgram {
  readonly path: string;
  readonly version: string;
}

export interface ImageProbe {
  /** The Node that can run tests. */
  readonly node: string;
  /** By name. */
  readonly programs: Readonly<Record<string, FoundProgram>>;
  /** GOROOT of its Go; null if it has no Go. */
  readonly goRoot: string | null;
  /** What does not work in it, as text for people. */
  readonly notes: readonly string[];
}

const MIB = 1024 * 1024;
const NODE_OF_OURS = `${IN_L2.programs}/lib/node`;
/** Programs of test runners, and the argument that prints the version of each. */
const LOOKED_FOR = {
  git: '--version',
  node: '--version',
  python3: '--version',
  go: 'version',
  cargo: '--version',
  ruby: '--version',
  php: '--version',
  javac: '-version',
} as const;

const MAX_LINE = 200;
/** A program that does not end, or prints endlessly, counts as not working. All together must end before the container is given up. */
const SCRIPT = `
const { spawnSync } = require('node:child_process');
const { path, env, lookedFor, ours } = JSON.parse(process.argv[1]);
const until = Date.now() + 40000;
const options = { env: { ...env, HOME: '/tmp', PATH: path.join(':') }, encoding: 'utf8', cwd: '/', killSignal: 'SIGKILL' };
const run = (program, ...args) => {
  const timeout = Math.min(8000, until - Date.now());
  if (timeout < 1) return null;
  const { status, stdout, stderr } = spawnSync(program, args, { ...options, timeout });
  return status === 0 ? (stdout + stderr).trim().split('\\n')[0] : null;
};
const tried = {
  '/bin/sh': run('/bin/sh', '-c', 'cd -P / && echo runs'),
  '/bin/rm': run('/bin/rm', '-f', '/tmp/nothing'),
  '/usr/bin/env': run('/usr/bin/env', '-i', 'A=1', '/bin/sh', '-c', 'echo "$A"'),
};
const programs = {};
for (const [name, argument] of Object.entries(lookedFor)) {
  const found = run('/bin/sh', '-c', 'command -v "$1"', 'sh', name);
  const version = found !== null && found.startsWith('/') ? run(found, argument) : null;
  if (version !== null) programs[name] = { path: found, version };
}
console.log(JSON.stringify({
  uid: process.getuid(),
  gid: process.getgid(),
  missing: Object.keys(tried).filter((name) => tried[name] === null),
  programs,
  direct: run(ours, '--version') !== null,
  goRoot: programs.go === undefined ? null : run(programs.go.path, 'env', 'GOROOT'),
}));
`;

const answerSchema = z.object({
  uid: z.number(),
  gid: z.number(),
  missing: z.array(z.string()),
  programs: z.record(z.string(), z.object({ path: z.string(), version: z.string() })),
  direct: z.boolean(),
  goRoot: z.string().nullable(),
});
type Answer = z.infer<typeof answerSchema>;

/**
 * Starts one container of an image with the settings of sandboxes, and examines its content.
 *
 * @throws FluffyError `engine_refused`, `engine_unreachable`
 */
export async function probeImage(
  engine: Engine,
  { id, facts }: { readonly id: string; readonly facts: ImageFacts },
  as: ProbedAs,
): Promise<{ readonly kind: 'usable'; readonly probe: ImageProbe } | Unusable> {
  const input = { path: facts.path, env: facts.env, lookedFor: LOOKED_FOR, ours: NODE_OF_OURS };
  const tried = await runThrowaway(engine, {
    image: id,
    command: [OWN_NODE, '-e', SCRIPT, JSON.stringify(input)],
    user: `${as.uid}:${as.gid}`,
    seccomp: as.seccomp,
    environment: facts.variables,
    hostConfig: {
      Mounts: [{ Type: 'bind', Source: as.programs, Target: IN_L2.programs, ReadOnly: true }],
      Tmpfs: { ...maskedVolumes(facts.volumes), '/tmp': 'rw,nosuid,nodev,size=64m,mode=1777' },
      Memory: 1024 * MIB,
      MemorySwap: 1024 * MIB,
      PidsLimit: 100,
    },
  }).catch(unstartable);
  if ('kind' in tried) return tried;
  const { stdout, stderr, exitCode } = tried;
  const answer = answerSchema.safeParse(parseJson(stdout));
  if (answer.success) return judgeProbe(answer.data, as);
  const said = lastText(stderr.trim().split('\n'));
  const ended = exitCode === null ? 'it did not end' : `exit code ${exitCode}`;
  const why = `no program could be run in it by /bin/sh (${ended}${said === '' ? '' : `: ${said}`})`;
  return { kind: 'unusable', why, fix: 'name an image with a shell and the usual small programs' };
}

/** The same settings work for other images, so a refusal of the engine here concerns this image. */
function unstartable(error: unknown): Unusable {
  if (!(error instanceof FluffyError) || error.code !== 'engine_refused') throw error;
  const fix = 'check its content where a sandbox mounts something (/tmp, /opt/fluffy, /var), or name another image';
  return { kind: 'unusable', why: `the engine could not start a sandbox in it: ${oneLine(error.why, 1_000)}`, fix };
}

export function judgeProbe(
  { uid, gid, missing, programs: answered, direct, goRoot }: Answer,
  as: Pick<ProbedAs, 'uid' | 'gid'>,
): { readonly kind: 'usable'; readonly probe: ImageProbe } | Unusable {
  if (uid !== as.uid || gid !== as.gid) {
    const why = `a program in it runs as ${uid}:${gid}, and not as the owner of the project, ${as.uid}:${as.gid}`;
    return { kind: 'unusable', why, fix: 'run `fluffy doctor`: the engine maps user ids' };
  }
  if (missing.length > 0) {
    const why = `what every sandbox starts with is missing or does not run: ${missing.join(', ')}`;
    return { kind: 'unusable', why, fix: 'name an image with a shell and the usual small programs' };
  }
  // An image's own description is untrusted text.
  const programs = Object.fromEntries(
    Object.entries(answered).map(([name, { path, version }]) => [name, { path, version: oneLine(version, MAX_LINE) }]),
  );
  const own = programs['node'];
  const isFit = own !== undefined && majorOf(own.version) >= OLDEST_NODE;
  const other = direct ? NODE_OF_OURS : OWN_NODE;
  const notes = [
    ...(programs['git'] === undefined ? ['it has no git: commands cannot use it (the git tools can)'] : []),
    ...(own === undefined || isFit
      ? []
      : [`its Node ${own.version} is older than ${OLDEST_NODE}: tests run with fluffy's own ${process.version}`]),
    ...(own === undefined && !direct
      ? ["it has no Node, and fluffy's cannot start other processes in it: runners of JavaScript do not work"]
      : []),
  ];
  return { kind: 'usable', probe: { node: isFit ? own.path : other, programs, goRoot, notes } };
}

function majorOf(version: string): number {
  return Number(/^v(\d+)\./.exec(version)?.[1] ?? 0);
}
