import { plural } from '../../lib/text/plural.ts';
import type { SlashCommand } from './slash-command.ts';

/** The command that drops work: it asks first, and stores the dropped work as a patch. */
export const reset: SlashCommand = {
  name: 'reset',
  argument: null,
  help: 'drop all staged changes; asks first, keeps a patch',
  synonyms: ['discard', 'abort', 'drop'],
  needs: 'session',
  run: async (_, context) => {
    const { text } = await context.request('session.describe', { what: 'diff' });
    const files = text.match(/^diff --git /gm)?.length ?? 0;
    const staged = `${plural(files, 'changed file')}`;
    if (files > 0 && !(await context.confirm(`Drop ${staged}? A patch is kept.`))) {
      context.note('Nothing was dropped.');
      return;
    }
    const kept = files > 0 ? await context.keepPatch(text) : null;
    await context.request('session.reset', {});
    context.reviewDropped();
    context.note(
      kept === null
        ? 'Nothing was staged. The session is idle.'
        : `${staged} dropped; the project was not changed. To restore them as your own changes: git apply ${kept}`,
    );
  },
};
