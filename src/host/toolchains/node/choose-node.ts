import { OLDEST_NODE, type SandboxNode } from '../../images/sandbox-node.ts';
import type { ToolchainOptions } from '../toolchain.ts';
import { type AskedNode, askedNode } from './asked-node.ts';
import { type InstalledNode, installCommand, managedNodes, systemNodes } from './installed-nodes.ts';
import { nvmAlias } from './nvm-alias.ts';
import { nvmHome } from './version-managers.ts';

/** Which Node the sandboxes of a project have. */
export type NodeChoice =
  /** That of the images: the project asks for it, or for none. */
  | { readonly kind: 'image' }
  /** One of this machine, the best first. */
  | { readonly kind: 'installed'; readonly asked: AskedNode; readonly nodes: readonly InstalledNode[] }
  /** That of the images, though the project asks for another. `install`: the command that would install one; null: none of that kind can be used. */
  | { readonly kind: 'absent'; readonly asked: AskedNode; readonly install: string | null };

export interface NodeSearch extends Pick<ToolchainOptions, 'projectRoot' | 'env'> {
  /** Directories of the project, relative to it. Its own files count before those of the others. */
  readonly directories: readonly string[];
  readonly image: SandboxNode;
}

/** The newest Node that is proposed. */
const NEWEST_NODE = 40;

/** The highest installed version that satisfies what the project asks for, if that of the images does not. */
export async function chooseNode(search: NodeSearch): Promise<NodeChoice> {
  const asked = await askedOf(search);
  if (asked === null) return { kind: 'image' };
  const { range } = asked;
  const { env, image } = search;
  if (image.version === null ? range.allows(image.major) : range.has(image.version)) return { kind: 'image' };
  // What runs in a sandbox is for Linux.
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

/** The lowest major version that a project asks for and sandboxes can have; null: there is none. */
export function wishedMajor({ range }: AskedNode): number | null {
  const usable = Array.from({ length: NEWEST_NODE - OLDEST_NODE + 1 }, (_, index) => OLDEST_NODE + index);
  return usable.find((each) => range.allows(each)) ?? null;
}

async function askedOf({ projectRoot, directories, env }: NodeSearch): Promise<AskedNode | null> {
  return (await askedIn({ projectRoot, env }, [''])) ?? askedIn({ projectRoot, env }, directories);
}

/** What the project asks for in these directories, the first one first, with words as nvm knows them. */
export function askedIn(
  { projectRoot, env }: Pick<NodeSearch, 'projectRoot' | 'env'>,
  directories: readonly string[],
): Promise<AskedNode | null> {
  return askedNode(projectRoot, directories, (word) => nvmAlias(nvmHome(env), word));
}

function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}
