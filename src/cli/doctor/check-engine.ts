import { z } from 'zod';
import { type Engine, expectEngine } from '../../host/images/engine-api.ts';
import type { EngineState } from '../../host/setup/detect-engine.ts';
import { type DoctorCheck, type DoctorReport, ok, problem } from './doctor-report.ts';

const versionSchema = z.object({
  Version: z.string(),
  ApiVersion: z.string(),
  Components: z.array(z.object({ Name: z.string() })).nullish(),
});
const infoSchema = z.object({
  Driver: z.string(),
  CgroupVersion: z.string().default('1'),
  SecurityOptions: z.array(z.string()).nullish(),
});

export type EngineFacts = NonNullable<DoctorReport['engine']>;

/** Asks the engine for its version and properties. */
export async function readEngine(engine: Engine): Promise<EngineFacts> {
  const version = versionSchema.parse(await expectEngine(engine, { method: 'GET', path: '/version' }));
  const info = infoSchema.parse(await expectEngine(engine, { method: 'GET', path: '/info' }));
  const options = new Set((info.SecurityOptions ?? []).map((option) => /^(?:name=)?([^,]+)/.exec(option)?.[1]));
  const podman = version.Components?.some(({ Name }) => /podman/i.test(Name)) === true;
  return {
    socket: engine.socketPath,
    name: podman ? 'podman' : 'docker',
    version: version.Version,
    api: version.ApiVersion,
    storage: info.Driver,
    cgroup_version: info.CgroupVersion,
    rootless: options.has('rootless'),
    userns: options.has('userns'),
  };
}

export function checkEngineState(state: Exclude<EngineState, { kind: 'ready' }>): DoctorCheck {
  return problem('error', 'engine', state.error.what, state.error.why, state.error.fix);
}

export function checkEngine(facts: EngineFacts): DoctorCheck {
  const manner = facts.rootless ? 'rootless' : 'as root';
  return ok(
    'engine',
    `${facts.name} ${facts.version} (API ${facts.api}) ${manner} on ${facts.socket}, storage ${facts.storage}, cgroup v${facts.cgroup_version}`,
  );
}
