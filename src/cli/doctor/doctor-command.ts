import { readHostSystem } from '../../host/setup/host-system.ts';
import { userDirs } from '../../contracts/host-layout.ts';
import type { ExitCode } from '../../contracts/exit-codes.ts';
import { jsonLine } from '../../lib/json-line.ts';
import { consentFrom } from '../../host/setup/consent.ts';
import { ensureSetup } from '../../host/setup/ensure-setup.ts';
import { realMachine } from '../../host/setup/machine.ts';
import type { BaseChoice } from '../../host/images/base-image.ts';
import type { CliServices, GlobalInput } from '../command-line/cli-command.ts';
import { REPOSITORY_ROOT } from '../open-project.ts';
import { doctorHere } from './doctor-here.ts';
import { doctorExitCode, verdict } from './doctor-report.ts';
import { printDoctor } from './print-doctor.ts';

/** `fluffy doctor`: shows the state and the problems; with `--fix`, runs set-up first. */
export async function doctorCommand(
  command: GlobalInput & {
    readonly fix: boolean;
    readonly yes: boolean;
    readonly base: BaseChoice | undefined;
  },
  { env, output }: CliServices,
): Promise<ExitCode> {
  if (command.fix) {
    await ensureSetup({
      env,
      machine: realMachine(readHostSystem(env['PATH']), env['PATH']),
      stateHome: userDirs(env).stateHome,
      repoRoot: REPOSITORY_ROOT,
      consent: consentFrom({ yes: command.yes || command.fix, env, interactive: process.stdin.isTTY }),
      onProgress: (line) => output.stderr(`  ${line}\n`),
      ...(command.base === undefined ? {} : { base: command.base }),
    });
  }
  const report = await doctorHere(command, env);
  output.stdout(
    command.json
      ? jsonLine({ ...report, can_start: doctorExitCode(report) === 0, verdict: verdict(report) })
      : printDoctor(report),
  );
  return doctorExitCode(report);
}
