import { z } from 'zod';
import { PATH_NAMES } from './shared/adapt-input.ts';
import { pathField } from './shared/input-fields.ts';
import { FS_TOOL } from './plugins.ts';
import { ANY_STATE, NEXT_TASK } from './shared/states.ts';
import { defineTool } from './tool.ts';
import { answer, failure } from './tool-answer.ts';
import type { ToolAnswer } from './tool-answer.ts';
import { onlyPath } from './tool-context.ts';
import type { ReadScope } from './tool-context.ts';

export const fsExists = defineTool({
  name: 'fs.exists',
  description: 'Whether a path exists, and what it is.',
  input: z.strictObject({ path: pathField }),
  foreign: { names: { path: PATH_NAMES } },
  place: 'kernel',
  effect: 'read',
  plugin: FS_TOOL,
  states: ANY_STATE,
  opens: NEXT_TASK,
  paths: ({ path }) => [path],
  perform: ({ path }, context) => context.read((scope) => exists(scope, path, onlyPath(context))),
});

/** Here a missing path is an answer and no failure. `checked`: the path that policy decided about. */
async function exists(scope: ReadScope, sent: string, checked: string): Promise<ToolAnswer> {
  const resolved = await scope.workspace.resolve(checked);
  if (resolved.kind === 'refused') return failure('path_refused', `"${sent}" is refused: ${resolved.reason}.`);
  if (!resolved.exists) return answer(`"${sent}" does not exist.`, `${sent}: does not exist`);
  const entries = await scope.workspace.list(resolved.path);
  const what = entries === null ? 'file' : 'directory';
  const isSame = resolved.path === sent.replace(/\/+$/, '') || resolved.path === '';
  const where = isSame ? '' : `, at "${resolved.path}"`;
  return answer(`"${sent}" exists and is a ${what}${where}.`, `${sent}: ${what}`);
}
