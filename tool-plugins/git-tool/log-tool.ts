import { gitLogInputSchema, gitLogResultSchema } from '../../src/contracts/sandbox/git-tool.ts';
import type { GitLogInput, GitLogResult } from '../../src/contracts/sandbox/git-tool.ts';
import { defineTool } from '../sdk/index.ts';
import type { ToolContext } from '../sdk/index.ts';
import { openGit } from './run-git.ts';

export const logTool = defineTool(
  {
    name: 'git.log',
    description: 'Lists recent commits, of one path or of all.',
    input: gitLogInputSchema,
    outputMode: 'full',
  },
  readLog,
);

const FIELDS = ['%H', '%an', '%aI', '%s'] as const;

export async function readLog({ path, limit }: GitLogInput, context: ToolContext): Promise<GitLogResult> {
  const git = await openGit(context);
  const { stdout } = await git.run([
    'log',
    '-z',
    `--max-count=${limit}`,
    `--format=${FIELDS.join('%x00')}`,
    '--no-show-signature',
    '--no-color',
    'HEAD',
    '--',
    ...(path === undefined ? [] : [path]),
  ]);
  const values = stdout === '' ? [] : stdout.replace(/\0$/, '').split('\0');
  const commits: unknown[] = [];
  for (let at = 0; at + FIELDS.length <= values.length; at += FIELDS.length) {
    const [id, author, date, subject] = values.slice(at, at + FIELDS.length);
    commits.push({ id, author, date, subject });
  }
  return gitLogResultSchema.parse({ commits });
}
