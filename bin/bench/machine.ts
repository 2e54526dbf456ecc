import { execFileSync } from 'node:child_process';
import { request } from 'node:http';
import { availableParallelism, cpus, loadavg, release } from 'node:os';

/** What has to be known about a run to make anything of its figures. */
export interface Machine {
  readonly date: string;
  readonly commit: string;
  readonly processors: number;
  readonly processorName: string;
  readonly loadAverage: readonly number[];
  readonly system: string;
  readonly node: string;
  readonly engine: string;
}

export async function describeMachine(root: string, engineSocket: string): Promise<Machine> {
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commitOf(root),
    processors: availableParallelism(),
    processorName: cpus()[0]?.model.trim() ?? 'unknown',
    loadAverage: loadavg(),
    system: `${process.platform} ${release()} ${process.arch}`,
    node: process.versions.node,
    engine: await engineVersion(engineSocket),
  };
}

function commitOf(root: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', `safe.directory=${root}`, ...args], {
      cwd: root,
      encoding: 'utf8',
      stdio: 'pipe',
    }).trim();
  try {
    const changed = git('status', '--porcelain', '--untracked-files=no', '--', 'src', 'tool-plugins', 'bin');
    return `${git('rev-parse', '--short=10', 'HEAD')}${changed === '' ? '' : ', with changes'}`;
  } catch {
    return 'unknown';
  }
}

function engineVersion(socketPath: string): Promise<string> {
  return new Promise((resolve) => {
    const asked = request({ socketPath, path: '/version', timeout: 5_000 }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve(versionIn(text)));
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve('none'));
    asked.end();
  });
}

function versionIn(text: string): string {
  const { Version, ApiVersion } = JSON.parse(text) as { Version?: string; ApiVersion?: string };
  return `${Version ?? 'unknown'}, API ${ApiVersion ?? 'unknown'}`;
}
