import { OLDEST_NODE } from '../../images/sandbox-node.ts';
import type { ToolchainNote } from '../toolchain.ts';
import type { AskedNode } from './asked-node.ts';
import { type NodeChoice, wishedMajor } from './choose-node.ts';
import type { InstalledNode } from './installed-nodes.ts';

/** The note about an installed Node that is used. Pure. */
export function usedNode(asked: AskedNode, { version, from }: InstalledNode, major: number): ToolchainNote {
  return {
    level: 'info',
    what: `Node ${version} from ${from}, requested by ${asked.place}`,
    why: `The project asks for Node ${asked.range.text}, and the images have Node ${major}`,
    fix: 'Nothing. To use another Node, change that file and start the session again',
  };
}

/** The note about a package that requests another Node than the whole project uses. Pure. */
export function otherPackage(asked: AskedNode, used: string): ToolchainNote {
  return {
    level: 'warn',
    what: whatIsUsed(asked, used),
    why: 'All tests and commands of a project run with one Node: the one that its root asks for, or else the outermost directory',
    fix: "name a Node in .nvmrc of the project's root that all its packages work with",
  };
}

function whatIsUsed({ place, range }: AskedNode, used: number | string): string {
  return `${place} asks for Node ${range.text}; tests and commands run with Node ${used}`;
}

/** The note if the images' Node is used although the project requests another. `left`: why the installed ones are not used. Pure. */
export function absentNode(
  { asked, install }: Extract<NodeChoice, { kind: 'absent' }>,
  major: number,
  left: readonly string[] = [],
): ToolchainNote {
  const wished = wishedMajor(asked);
  const what = whatIsUsed(asked, major);
  if (wished !== null && left.length > 0)
    return { level: 'warn', what, why: left.join('; '), fix: `run fluffy image use node:${wished}` };
  if (wished === null || install === null) {
    const why = `Runners of JavaScript need Node ${OLDEST_NODE} or later`;
    const fix = `if a test fails only in a session, change the project so that it works with Node ${major} too`;
    return { level: 'warn', what, why, fix };
  }
  return {
    level: 'warn',
    what,
    why: 'No such Node was found in PATH, or in nvm, fnm, volta, asdf, mise, nodenv or n',
    fix: `run ${install}, then start the session again; or run fluffy image use node:${wished}`,
  };
}
