import type { ExitCode } from '../../../contracts/exit-codes.ts';
import type { CliServices, GlobalInput } from '../../command-line/cli-command.ts';
import { check } from '../../config/policy/check.ts';
import { distrust } from '../../config/policy/distrust.ts';
import { edit } from '../../config/policy/edit/edit.ts';
import { renderReport } from '../../config/policy/edit/edit-report.ts';
import { explain, explainStdin } from '../../config/policy/explain/explain.ts';
import type { ExplainArguments } from '../../config/policy/explain/explain.ts';
import { personAtTerminal } from '../../config/policy/person-at-terminal.ts';
import { show } from '../../config/policy/show.ts';
import { writeAll } from '../../config/policy/write-all.ts';
import { refuseUnreadableInput } from '../../headless/read-stdin.ts';
import { asStream } from '../../output/output.ts';
import { ownProject, policySource, projectRootOf } from './policy-context.ts';
import { policyUpdater, reloadRunningKernel } from './policy-updater.ts';

/** `fluffy config policy …`: needs no container, and needs a project only to change something. */

interface WithPolicy extends GlobalInput {
  readonly policy: string | undefined;
}

export async function showPolicy(input: WithPolicy, services: CliServices): Promise<ExitCode> {
  const source = await policySource(input.policy, await projectRootOf(input.project), services.env);
  return show({ source, json: input.json, ...streams(services) });
}

export async function checkPolicy(
  input: WithPolicy & { readonly file: string | undefined },
  services: CliServices,
): Promise<ExitCode> {
  const source = await policySource(input.file ?? input.policy, await projectRootOf(input.project), services.env);
  return check({ source, json: input.json, stdout: streams(services).stdout });
}

export async function explainPolicy(
  input: WithPolicy & { readonly query: ExplainArguments | null },
  services: CliServices,
): Promise<ExitCode> {
  const projectRoot = await projectRootOf(input.project);
  const source = await policySource(input.policy, projectRoot, services.env);
  const options = { source, json: input.json, projectRoot, ...streams(services) };
  if (input.query !== null) return explain(input.query, options);
  refuseUnreadableInput(services.stdin);
  return explainStdin(services.stdin, options);
}

export async function editPolicy(input: GlobalInput, services: CliServices): Promise<ExitCode> {
  const { user, dirs } = await ownProject('edit', input.project, services.env);
  const { stdout, stderr } = streams(services);
  const person = personAtTerminal({ env: services.env, json: input.json });
  try {
    const { exitCode } = await edit({
      projectRoot: dirs.root,
      trustDirectory: user.trust,
      person,
      updater: () => policyUpdater(dirs, user),
      stderr,
      ...(input.json ? { report: (report) => writeAll(stdout, renderReport(report)) } : {}),
    });
    return exitCode;
  } finally {
    person.close();
  }
}

export async function distrustPolicy(
  input: GlobalInput & { readonly all: boolean },
  services: CliServices,
): Promise<ExitCode> {
  const { user, dirs } = await ownProject('distrust', input.project, services.env);
  return distrust({
    projectRoot: dirs.root,
    trustDirectory: user.trust,
    all: input.all,
    takeUp: () => reloadRunningKernel(dirs),
    json: input.json,
    ...streams(services),
  });
}

function streams({ output }: CliServices) {
  return { stdout: asStream(output, 'stdout'), stderr: asStream(output, 'stderr') };
}
