import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, utimes, watch, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * A checkout with our scripts, a HOME of its own, and a PATH of stubs: `npm` and `node` are shell scripts that do as the real ones
 * would, as far as set-up looks, and write down each call. Nothing reaches a network.
 */
export interface StubCheckout {
  readonly root: string;
  readonly home: string;
  /** Runs bin/fluffy; `shell` runs it by name instead of by its first line. */
  start(args: readonly string[], options?: StartOptions): Run;
  /** What npm and node were called with, one call a line. */
  calls(): Promise<string[]>;
  putNode(version: string): Promise<void>;
  removeTool(name: string): Promise<void>;
  /** From now on `npm ci` waits, once it has begun, until it is released. */
  holdNpm(): Promise<HeldNpm>;
  /** From now on this step fails, until it is told to work again. */
  setFailing(step: 'ci' | 'bundle', fails: boolean): Promise<void>;
  /** Gives a file of the checkout a time to come, as an edit or a checkout would. */
  touch(path: string): Promise<void>;
  remove(): Promise<void>;
}

export interface HeldNpm {
  readonly begun: Promise<void>;
  release(): Promise<void>;
}

export interface StartOptions {
  readonly shell?: string;
  readonly script?: string;
  readonly cwd?: string;
  /** Somebody else than the owner of the checkout. Only root can start a program as another. */
  readonly uid?: number;
  /** In the place of the checkout's own. */
  readonly home?: string;
}

export interface Run {
  readonly result: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** Kills the whole process group, as a closing terminal or an out-of-memory killer might. */
  killGroup(): void;
  /** Kills the shell alone. */
  killShell(): void;
}

const repoRoot = resolve(import.meta.dirname, '../..');
const TOOLS = [
  'sh',
  'cat',
  'chmod',
  'find',
  'flock',
  'mkdir',
  'mv',
  'readlink',
  'rm',
  'rmdir',
  'sleep',
  'touch',
  'uname',
];

export async function makeStubCheckout(): Promise<StubCheckout> {
  const base = await mkdtemp(join(tmpdir(), 'fluffy-setup-'));
  await chmod(base, 0o755);
  const root = join(base, 'check out');
  const home = join(base, 'home');
  const tools = join(base, 'tools');
  const log = join(base, 'calls');
  const hold = join(base, 'hold');
  for (const directory of [join(root, 'src/lib'), join(root, 'tool-plugins'), home, tools, hold])
    await mkdir(directory, { recursive: true });
  await cp(join(repoRoot, 'bin'), join(root, 'bin'), { recursive: true });
  await writeFile(join(root, 'package.json'), '{\n  "name": "fluffy",\n  "version": "1.2.3"\n}\n');
  await writeFile(join(root, 'package-lock.json'), '{}\n');
  await writeFile(join(root, 'src/lib/a.ts'), '');
  await writeFile(log, '');
  for (const name of TOOLS) await symlink(await whereIs(name), join(tools, name));

  const script = async (path: string, text: string): Promise<void> => {
    await writeFile(path, `#!/bin/sh\n${text}`);
    await chmod(path, 0o755);
  };
  const node = (version: string): string => `
case $1 in
--version) echo ${version} ;;
*/bundle.mjs) [ ! -e '${hold}/bundle-fails' ] || exit 1; echo "bundle ${version}" >>'${log}'; mkdir -p '${root}/dist'; echo >'${root}/dist/cli.mjs' ;;
*/launch.cjs) shift; echo "cli $*" ;;
esac
`;
  await script(
    join(tools, 'npm'),
    `
echo "npm $*" >>'${log}'
case $1 in
install)
	target=$3/node_modules/$(echo_package "$@")/bin
	;;
ci)
	[ ! -e '${hold}/ci-fails' ] || exit 1
	rm -rf '${root}/node_modules'
	mkdir '${root}/node_modules'
	if [ -e '${hold}/wanted' ]; then
		touch '${hold}/begun'
		while [ -e '${hold}/wanted' ]; do sleep 0.02; done
	fi
	touch '${root}/node_modules/.package-lock.json'
	exit
	;;
esac
mkdir -p "$target"
cat >"$target/node" <<'END'
#!/bin/sh
${node('v24.9.9')}
END
chmod +x "$target/node"
`.replace('$(echo_package "$@")', '$(for name; do :; done; echo "${name%@*}")'),
  );

  return {
    root,
    home,
    start(args, options = {}) {
      const path = options.script ?? join(root, 'bin/fluffy');
      const [command, ...rest] = options.shell === undefined ? [path, ...args] : [options.shell, path, ...args];
      const child = spawn(command ?? '', rest, {
        cwd: options.cwd ?? base,
        env: { HOME: options.home ?? home, PATH: tools },
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
        ...(options.uid !== undefined && { uid: options.uid, gid: options.uid }),
      });
      const output = { stdout: '', stderr: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
      const result = once(child, 'close').then(() => ({ code: child.exitCode, ...output }));
      return {
        result,
        killGroup: () => void process.kill(-(child.pid ?? 0), 'SIGKILL'),
        killShell: () => void child.kill('SIGKILL'),
      };
    },
    async calls() {
      return (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '');
    },
    putNode: (version) => script(join(tools, 'node'), node(version)),
    removeTool: (name) => rm(join(tools, name)),
    async holdNpm() {
      await writeFile(join(hold, 'wanted'), '');
      return { begun: appears(hold, 'begun'), release: () => rm(join(hold, 'wanted')) };
    },
    async setFailing(step, fails) {
      const flag = join(hold, `${step}-fails`);
      await (fails ? writeFile(flag, '') : rm(flag));
    },
    async touch(path) {
      const soon = new Date(Date.now() + 5_000);
      await utimes(join(root, path), soon, soon);
    },
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

async function appears(directory: string, name: string): Promise<void> {
  for await (const { filename } of watch(directory, { signal: AbortSignal.timeout(10_000) }))
    if (filename === name) return;
}

async function whereIs(name: string): Promise<string> {
  for (const directory of ['/usr/bin', '/bin']) {
    const path = join(directory, name);
    if (
      await access(path).then(
        () => true,
        () => false,
      )
    )
      return path;
  }
  throw new Error(`${name} is not on this machine`);
}
