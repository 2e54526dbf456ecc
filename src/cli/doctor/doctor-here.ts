import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { userDirs } from '../../contracts/host-layout.ts';
import { readHostSystem } from '../../host/setup/host-system.ts';
import { realMachine } from '../../host/setup/machine.ts';
import { loadUserConfig, userConfigFile } from '../config/load-config.ts';
import { REPOSITORY_ROOT, imageOf } from '../open-project.ts';
import type { Environment } from '../open-project.ts';
import { findRepository } from '../project/find-repository.ts';
import { findState } from '../project-state/find-state.ts';
import { recordedRuntimeRoot } from '../supervisor/runtime-directory.ts';
import { checkLocalModels } from './check-local-models.ts';
import { checkStart } from './check-start.ts';
import type { StartPlace } from './check-start.ts';
import type { DoctorReport } from './doctor-report.ts';
import { runDoctor } from './run-doctor.ts';

/** The result of `fluffy doctor` on this machine, in the named project or the one around the working directory. */
export async function doctorHere(place: StartPlace, env: Environment): Promise<DoctorReport> {
  const user = userDirs(env);
  const found = await findRepository(resolve(place.project ?? '.')).catch(() => null);
  const root = found !== null && found.kind !== 'problem' ? found.root : null;
  const project = root === null ? null : (await findState(user, root)).dirs;
  const owner = root === null ? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 } : await stat(root);
  const config = await loadUserConfig(userConfigFile(env)).catch(() => null);
  return runDoctor({
    env,
    machine: realMachine(readHostSystem(env['PATH']), env['PATH']),
    user,
    project,
    runtimeRoot: project === null ? null : await recordedRuntimeRoot(project.host).catch(() => null),
    repoRoot: REPOSITORY_ROOT,
    owner: { uid: owner.uid, gid: owner.gid },
    chosenImage: root === null || config === null ? null : imageOf(config, root),
    startChecks: [...(await checkStart(place, env)), ...(await checkLocalModels())],
  });
}
