import { readFileSync } from 'node:fs';
import { detectRuntime } from '../../src/bootstrap/detect-runtime.ts';
import { projectIdOf } from '../../src/cli/supervisor/instance.ts';
import { readHostSystem } from '../../src/host/setup/host-system.ts';
import { createEngineClient } from '../../src/host/runtime-guard/engine-client.ts';

/** Memory that a process of this machine holds for itself, in MiB: what is mapped from files is not counted. */
export function ownMemoryMiB(pid: number): number {
  const kib = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  if (kib === undefined) throw new Error(`process ${pid} does not say how much memory it holds`);
  return Number(kib) / 1024;
}

/** The process of the kernel that serves a project. */
export async function kernelProcess(project: string): Promise<number> {
  const engine = createEngineClient(await detectRuntime(process.env, readHostSystem(process.env['PATH'])));
  const label = ['fluffy.role=kernel', `fluffy.project=${projectIdOf(project)}`];
  const filters = encodeURIComponent(JSON.stringify({ label }));
  const { body } = await engine.call('GET', `/containers/json?filters=${filters}`);
  const [container] = body as readonly { readonly Id: string }[];
  if (container === undefined) throw new Error('the kernel of the project does not run');
  const details = await engine.call('GET', `/containers/${container.Id}/json`);
  return (details.body as { readonly State: { readonly Pid: number } }).State.Pid;
}
