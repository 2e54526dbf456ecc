import type { SandboxNode } from '../../host/images/sandbox-node.ts';
import { askedIn, chooseNode } from '../../host/toolchains/node/choose-node.ts';
import { absentNode, otherPackage, usedNode } from '../../host/toolchains/node/describe-node.ts';
import { nodeDirectories } from '../../host/toolchains/node/find-node.ts';
import type { ToolchainNote } from '../../host/toolchains/toolchain.ts';
import { ancestors } from '../../lib/ancestors.ts';
import type { DetectedRunner } from '../../kernel/runners/detect-runners.ts';
import { runnerNamed } from '../../kernel/runners/registry.ts';
import type { Environment } from '../open-project.ts';

export interface OtherNodeOptions {
  readonly projectRoot: string;
  /** Project-relative directory in which the tests start. */
  readonly cwd: string;
  readonly image: SandboxNode;
  readonly env: Environment;
}

/**
 * Which Node the tests of a project run with, if its files request another than the images have; null if there is nothing to report. The whole
 * project uses one Node, so a package that requests another is reported too.
 */
export async function otherNode({ projectRoot, cwd, image, env }: OtherNodeOptions): Promise<ToolchainNote | null> {
  const directories = await nodeDirectories(projectRoot);
  const choice = await chooseNode({ projectRoot, env, directories, image });
  const own = await askedIn({ projectRoot, env }, cwd === '' ? [''] : [cwd, ...ancestors(cwd).reverse(), '']);
  const used = choice.kind === 'installed' ? choice.nodes[0] : undefined;
  const major = used === undefined ? image.major : Number.parseInt(used.version, 10);
  if (own !== null && !own.range.allows(major)) {
    const isSame = choice.kind === 'absent' && choice.asked.place === own.place;
    return isSame ? absentNode(choice, major) : otherPackage(own, used?.version ?? String(major));
  }
  return choice.kind === 'installed' && used !== undefined ? usedNode(choice.asked, used, image.major) : null;
}

/** Whether the tests run with Python. */
export function runsInPython([first]: readonly DetectedRunner[]): boolean {
  return first !== undefined && runnerNamed(first.command.runner)?.runsInPython === true;
}

/** Whether the tests run with Node; otherwise the requested version does not matter. */
export function runsInNode([first]: readonly DetectedRunner[]): boolean {
  return first !== undefined && runnerNamed(first.command.runner)?.runsInNode === true;
}
