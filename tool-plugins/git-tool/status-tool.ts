import { gitStatusInputSchema } from '../../src/contracts/sandbox/git-tool.ts';
import type { GitStatusEntry, GitStatusResult } from '../../src/contracts/sandbox/git-tool.ts';
import { defineTool } from '../sdk/index.ts';
import type { ToolContext } from '../sdk/index.ts';
import { openGit } from './run-git.ts';

const MAX_ENTRIES = 20_000;

export const statusTool = defineTool(
  {
    name: 'git.status',
    description: 'Lists every path that is not as HEAD has it.',
    input: gitStatusInputSchema,
    outputMode: 'full',
  },
  (_, context) => readStatus(context),
);

export async function readStatus(context: ToolContext): Promise<GitStatusResult> {
  const git = await openGit(context);
  const { stdoutBytes, truncated } = await git.run([
    'status',
    '--porcelain=v2',
    '--branch',
    '-z',
    '--untracked-files=all',
    '--ignore-submodules=dirty',
    '--no-renames',
    '--no-ahead-behind',
  ]);
  const parsed = parseStatus(stdoutBytes.toString('utf8'));
  return {
    branch: parsed.branch,
    entries: parsed.entries.slice(0, MAX_ENTRIES),
    truncated: truncated || parsed.entries.length > MAX_ENTRIES,
  };
}

/** Reads `git status --porcelain=v2 --branch -z --no-renames`. Records that are cut off or unknown are left out. */
export function parseStatus(output: string): { branch: string | null; entries: GitStatusEntry[] } {
  let branch: string | null = null;
  const entries: GitStatusEntry[] = [];
  for (const record of output.split('\0')) {
    const head = /^# branch\.head (.+)$/s.exec(record)?.[1];
    if (head !== undefined) branch = head === '(detached)' ? null : head;
    // 1 <XY> <sub> <mH> <mI> <mW> <hH> <hI> <path>, and u with two modes and an id more.
    const changed = /^(?:1 (..) (?:\S+ ){6}|u (..) (?:\S+ ){8})(.+)$/s.exec(record);
    const letters = changed?.[1] ?? changed?.[2];
    if (changed?.[3] !== undefined && letters !== undefined) {
      entries.push({ path: changed[3], index: letters.charAt(0), worktree: letters.charAt(1) });
    }
    if (record.startsWith('? ')) entries.push({ path: record.slice(2), index: '?', worktree: '?' });
  }
  return { branch, entries };
}
