import { z } from 'zod';
import { KEY_STYLES } from '../../tui/composer/vim/key-styles.ts';
import type { KeyStyle } from '../../tui/composer/vim/key-styles.ts';
import { BINDABLE_ACTIONS } from '../../tui/keymap/bindable-actions.ts';
import type { ActionName } from '../../tui/keymap/bindable-actions.ts';
import { keyConflict, readKeyName } from '../../tui/keymap/bindings.ts';
import type { ChosenKeys } from '../../tui/keymap/bindings.ts';

/** `keys` of the user's configuration. */
export interface KeySettings {
  readonly style: KeyStyle;
  readonly chosen: ChosenKeys;
}

const style = z.enum(KEY_STYLES);

/** One key, several, or `none`. */
const keysOfAction = z
  .string()
  .or(z.array(z.string()).min(1))
  .transform((value, context): readonly string[] => {
    if (value === 'none') return [];
    const read = [value].flat().map(readKeyName);
    for (const each of read) if (each.kind === 'problem') context.addIssue({ code: 'custom', message: each.why });
    return read.flatMap((each) => (each.kind === 'key' ? [each.name] : []));
  })
  .optional();

const actions = Object.fromEntries(BINDABLE_ACTIONS.map(({ name }) => [name, keysOfAction])) as Record<
  ActionName,
  typeof keysOfAction
>;

const mapping = z
  .strictObject({ style: style.optional(), ...actions })
  .transform(({ style: named = 'emacs', ...keys }, context): KeySettings => {
    const chosen: ChosenKeys = keys;
    const conflict = keyConflict(chosen);
    if (conflict !== null)
      context.addIssue({ code: 'custom', path: [conflict.action], message: conflict.why, input: keys });
    return { style: named, chosen };
  });

/** The keys of the prompt as one word, or a mapping with keys for single actions. */
export const keysSchema = style.transform((named): KeySettings => ({ style: named, chosen: {} })).or(mapping);
