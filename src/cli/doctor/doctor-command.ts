import { resolve } from 'node:path';
import { stat } from 'node:fs/promises';
import { readHostSystem } from '../../host/setup/host-system.ts';
import { userDirs } from '../../contracts/host-layout.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { consentFrom } from '../../host/setup/consent.ts';
import { ensureSetup } from '../../host/setup/ensure-setup.ts';
import { realMachine } from '../../host/setup/machine.ts';
import type { BaseChoice } from '../../host/images/base-image.ts';
import type { CliServices, GlobalInput } from '../command-line/cli-command.ts';
import { checkLocalModels } from './check-local-models.ts';
import { checkStart } from './check-start.ts';
import { doctorExitCode, verdict } from './doctor-report.ts';
import { printDoctor } from './print-doctor.ts';
import { runDoctor } from './run-doctor.ts';
import { loadUserConfig, userConfigFile } from '../config/load-config.ts';
import { REPOSITORY_ROOT, imageOf } from '../open-project.ts';
import { findRepository } from '../project/find-repository.ts';
import { findState } from '../project-state/find-state.ts';
import { recordedRuntimeRoot } from '../supervisor/runtime-directory.ts';

/** `fluffy doctor`: what there is and what is wrong; with `--fix`, first what set-up does. */
export async function doctorCommand(
  command: GlobalInput & {
    readonly fix: boolean;
    readonly yes: boolean;
    readonly base: BaseChoice | undefined;
  },
  { env, output }: CliServices,
): Promise<ExitCode> {
  const user = userDirs(env);
  const machine = realMachine(readHostSystem(env['PATH']), env['PATH']);
  if (command.fix) {
    await ensureSetup({
      env,
      machine,
      stateHome: user.stateHome,
      repoRoot: REPOSITORY_ROOT,
      consent: consentFrom({ yes: command.yes || command.fix, env, interactive: process.stdin.isTTY }),
      onProgress: (line) => output.stderr(`  ${line}\n`),
      ...(command.base === undefined ? {} : { base: command.base }),
    });
  }
  const found = await findRepository(resolve(command.project ?? '.')).catch(() => null);
  const root = found !== null && found.kind !== 'problem' ? found.root : null;
  const project = root === null ? null : (await findState(user, root)).dirs;
  const owner = root === null ? { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 } : await stat(root);
  const config = await loadUserConfig(userConfigFile(env)).catch(() => null);
  const report = await runDoctor({
    env,
    machine,
    user,
    project,
    runtimeRoot: project === null ? null : await recordedRuntimeRoot(project.host).catch(() => null),
    repoRoot: REPOSITORY_ROOT,
    owner: { uid: owner.uid, gid: owner.gid },
    chosenImage: root === null || config === null ? null : imageOf(config, root),
    startChecks: [...(await checkStart(command, env)), ...(await checkLocalModels())],
  });
  output.stdout(
    command.json
      ? `${JSON.stringify({ ...report, can_start: doctorExitCode(report) === 0, verdict: verdict(report) })}\n`
      : printDoctor(report),
  );
  return doctorExitCode(report);
}
