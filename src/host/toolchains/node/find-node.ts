import { relative } from 'node:path';
import { sandboxNode } from '../../images/sandbox-node.ts';
import { copyOnce } from '../copied-program.ts';
import { type ListedDirectory, listProject } from '../listed-directories.ts';
import { whyLeftOut } from '../said-in-image.ts';
import type { Toolchain, ToolchainNote, ToolchainOptions } from '../toolchain.ts';
import { NODE_FILES } from '../version-places.ts';
import { chooseNode, type NodeChoice } from './choose-node.ts';
import { absentNode, usedNode } from './describe-node.ts';
import type { InstalledNode } from './installed-nodes.ts';

/** The version that a program of this host prints in a sandbox of the images; null if it does not run there. */
export type VersionInImage = (directory: string, program: string) => Promise<string | null>;

export interface NodeOptions extends ToolchainOptions {
  readonly stateHome: string;
  /** The project's directories, if they are known. */
  readonly listed?: readonly ListedDirectory[];
  /** Identifies the image: a program is tried once for each. */
  readonly imageId: string;
  readonly versionInImage: VersionInImage;
}

export interface FoundNode {
  /** null: sandboxes use the images' Node. */
  readonly toolchain: Toolchain | null;
  /** null: the project requests no other. */
  readonly note: ToolchainNote | null;
}

/** Directories of a project in which a file can request a Node, relative to it, outermost first. */
export async function nodeDirectories(
  projectRoot: string,
  known?: readonly ListedDirectory[],
): Promise<readonly string[]> {
  const listed = known ?? (await listProject(projectRoot));
  const found = listed
    .filter(({ files }) => files.some((name) => NODE_FILES.some((file) => file === name)))
    .map(({ path }) => relative(projectRoot, path));
  const depth = (path: string): number => (path === '' ? 0 : path.split('/').length);
  return found.sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

/** The Node that the project requests, if this machine has it: sandboxes see a copy of its program only. */
export async function findNode(options: NodeOptions): Promise<FoundNode> {
  const { projectRoot, env, stateHome, listed } = options;
  const image = await sandboxNode(stateHome);
  const directories = await nodeDirectories(projectRoot, listed);
  const choice = await chooseNode({ projectRoot, env, directories, image });
  if (choice.kind === 'image') return { toolchain: null, note: null };
  if (choice.kind === 'absent') return { toolchain: null, note: absentNode(choice, image.major) };
  const left: string[] = [];
  for (const node of choice.nodes) {
    const made = await copied(node, options);
    if (made.kind === 'copied') {
      const { directory } = made;
      const forTests = { name: 'node', path: [directory], env: {}, node: `${directory}/node` };
      return { toolchain: { forTests, mounts: [directory] }, note: usedNode(choice.asked, node, image.major) };
    }
    left.push(made.why);
  }
  const none: Extract<NodeChoice, { kind: 'absent' }> = { kind: 'absent', asked: choice.asked, install: null };
  return { toolchain: null, note: absentNode(none, image.major, left) };
}

async function copied(
  { program, version, from }: InstalledNode,
  { imageId, versionInImage, caches, onProgress }: NodeOptions,
): Promise<
  { readonly kind: 'copied'; readonly directory: string } | { readonly kind: 'left-out'; readonly why: string }
> {
  let said: string | null | undefined;
  try {
    const directory = await copyOnce(program, 'node', { caches, onProgress, key: imageId }, async (made) => {
      said = await versionInImage(made, 'node');
      if (said !== `v${version}`) throw new Error('not what its directory says');
    });
    return { kind: 'copied', directory };
  } catch (error) {
    const why = whyLeftOut(said, error, 'copied');
    return { kind: 'left-out', why: `Node ${version} from ${from} is not used: it ${why}` };
  }
}
