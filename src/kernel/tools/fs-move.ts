import { z } from 'zod';
import type { ProjectPath } from '../../contracts/ids.ts';
import { pathField } from './shared/input-fields.ts';
import { FS_TOOL } from './plugins.ts';
import { WRITING, WRITING_OPENS } from './shared/states.ts';
import { defineTool } from './tool.ts';

export const fsMove = defineTool({
  name: 'fs.move',
  synonyms: ['mv', 'move', 'move_file', 'rename', 'rename_file'],
  description: 'Move or rename a file or a directory.',
  input: z.strictObject({ from: pathField, to: pathField }),
  foreign: {
    names: { from: ['source', 'source_path', 'old_path'], to: ['destination', 'destination_path', 'new_path'] },
  },
  place: 'overlay',
  effect: 'write',
  plugin: FS_TOOL,
  states: WRITING,
  opens: WRITING_OPENS,
  paths: ({ from, to }) => [from, to],
  target: 'tree',
  alsoWrites: ([from, to], writes) => (from === undefined || to === undefined ? [] : movedTo(from, to, writes)),
  describe: ({ from, to }) => `${from} → ${to}`,
  perform: (_input, context) => {
    const [from, to] = context.named;
    return context.change({ params: { from, to }, done: `Moved ${from ?? ''} to ${to ?? ''}` });
  },
});

/** The new path of each file of a moved directory. */
function movedTo(from: ProjectPath, to: ProjectPath, writes: readonly ProjectPath[]): ProjectPath[] {
  return writes
    .filter((path) => path.startsWith(`${from}/`))
    .map((path) => `${to}${path.slice(from.length)}` as ProjectPath);
}
