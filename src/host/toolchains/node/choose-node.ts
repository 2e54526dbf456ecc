import { OLDEST_NODE, type SandboxNode } from '../../images/sandbox-node.ts';
import type { ToolchainOptions } from '../toolchain.ts';
import { type AskedNode, askedNode } from './asked-node.ts';
import { type InstalledNode, installCommand, managedNodes, systemNodes } from './installed-nodes.ts';
import { nvmAlias } from './nvm-alias.ts';
import { nvmHome } from './version-managers.ts';

/** Which Node the sandboxes of a project have. */
export type NodeChoice =
  /** The images' Node: the project requests it, or requests nothing. */
  | { readonly kind: 'image' }
  /** A Node of this machine, best first. */
  | { readonly kind: 'installed'; readonly asked: AskedNode; readonly nodes: readonly InstalledNode[] }
  /** The images' Node, although the project requests another. `install`: the command that would install one; null if no such version can be used. */
  | { readonly kind: 'absent'; readonly asked: AskedNode; readonly install: string | null };

export interface NodeSearch extends Pick<ToolchainOptions, 'projectRoot' | 'env'> {
  /** Directories relative to the project. The project's own files precede those of the others. */
  readonly directories: readonly string[];
  readonly image: SandboxNode;
}

/** The newest Node that is suggested. */
const NEWEST_NODE = 40;

/** The highest installed version that satisfies the project's request, if the images' Node does not. */
export async function chooseNode(search: NodeSearch): Promise<NodeChoice> {
  const asked = await askedOf(search);
  if (asked === null) return { kind: 'image' };
  const { range } = asked;
  const { env, image } = search;
  if (image.version === null ? range.allows(image.major) : range.has(image.version)) return { kind: 'image' };
  // Sandboxes run Linux programs.
  const isLinux = process.platform === 'linux';
  const managed = isLinux ? await managedNodes(search) : [];
  const fits = ({ version }: InstalledNode): boolean => range.has(version) && majorOf(version) >= OLDEST_NODE;
  const exact = managed.filter(fits);
  if (exact.length > 0) return { kind: 'installed', asked, nodes: exact };
  if (range.allows(image.major)) return { kind: 'image' };
  const all = [...managed, ...(isLinux ? await systemNodes(search, managed) : [])];
  const near = all.filter(({ version }) => range.allows(majorOf(version)) && majorOf(version) >= OLDEST_NODE);
  const nodes = [...near.filter(fits), ...near.filter((each) => !fits(each))];
  if (nodes.length > 0) return { kind: 'installed', asked, nodes };
  const major = wishedMajor(asked);
  return { kind: 'absent', asked, install: major === null ? null : await installCommand(env, major) };
}

/** The lowest major version that satisfies the project and that sandboxes support; null if there is none. */
export function wishedMajor({ range }: AskedNode): number | null {
  const usable = Array.from({ length: NEWEST_NODE - OLDEST_NODE + 1 }, (_, index) => OLDEST_NODE + index);
  return usable.find((each) => range.allows(each)) ?? null;
}

async function askedOf({ projectRoot, directories, env }: NodeSearch): Promise<AskedNode | null> {
  return (await askedIn({ projectRoot, env }, [''])) ?? askedIn({ projectRoot, env }, directories);
}

/** The project's request in the first of these directories that has one, with nvm's words resolved. */
export function askedIn(
  { projectRoot, env }: Pick<NodeSearch, 'projectRoot' | 'env'>,
  directories: readonly string[],
): Promise<AskedNode | null> {
  return askedNode(projectRoot, directories, (word) => nvmAlias(nvmHome(env), word));
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}
