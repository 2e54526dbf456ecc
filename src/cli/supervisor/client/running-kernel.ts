import type { ProjectDirs } from '../../../contracts/host-layout.ts';
import { runtimeDirs } from '../../../contracts/host-layout.ts';
import { isServing } from '../is-serving.ts';
import { directoryProblem } from '../owned-directory.ts';
import { recordedRuntimeRoot } from '../runtime-directory.ts';

/** The socket of the project's running kernel; null if none runs, or if it cannot be trusted. Starts nothing. */
export async function runningKernelSocket({ host }: Pick<ProjectDirs, 'host'>): Promise<string | null> {
  const root = await recordedRuntimeRoot(host);
  if (root === null) return null;
  const problem = await directoryProblem(root, process.getuid?.() ?? 0).catch(() => 'missing');
  if (problem !== null) return null;
  const { cliSocket } = runtimeDirs(root);
  return (await isServing(cliSocket)) ? cliSocket : null;
}
