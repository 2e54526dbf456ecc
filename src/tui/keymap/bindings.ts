import { ownValue } from '../../lib/own-value.ts';
import { nearestWord } from '../../lib/text/nearest-word.ts';
import { BINDABLE_ACTIONS } from './bindable-actions.ts';
import type { ActionName } from './bindable-actions.ts';
import type { KeyAction } from './key-action.ts';

/** Keys that the person has chosen; other actions keep their default. */
export type ChosenKeys = Readonly<Partial<Record<ActionName, readonly string[]>>>;

/** The actions of keys with Ctrl or Alt. */
export interface Bindings {
  readonly keys: Readonly<Record<ActionName, readonly string[]>>;
  /** By the name of the key. */
  readonly actions: ReadonlyMap<string, KeyAction>;
}

/** Keys that cannot be chosen: terminals send the same for another key, or their meaning is fixed. */
const FIXED: Readonly<Record<string, string>> = {
  'ctrl-c': 'it interrupts and leaves, always',
  'ctrl-h': 'terminals send it for Backspace',
  'ctrl-i': 'terminals send it for Tab',
  'ctrl-j': 'it begins a new line',
  'ctrl-m': 'terminals send it for Enter',
};

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const KEYS: readonly string[] = [
  ...LETTERS.map((letter) => `ctrl-${letter}`).filter((key) => !(key in FIXED)),
  'ctrl-_',
  ...[...LETTERS, ...'0123456789'].map((letter) => `alt-${letter}`),
];

export type ReadKey =
  { readonly kind: 'key'; readonly name: string } | { readonly kind: 'problem'; readonly why: string };

/** Parses a key of the configuration: `ctrl-t`, `Alt+e`. */
export function readKeyName(text: string): ReadKey {
  const name = text.trim().toLowerCase().replace('+', '-');
  if (KEYS.includes(name)) return { kind: 'key', name };
  const quoted = JSON.stringify(text);
  const fixed = ownValue(FIXED, name);
  if (fixed !== undefined) return problem(`${quoted} cannot be chosen: ${fixed}`);
  const nearest = nearestWord(name, KEYS);
  const known = 'ctrl-a to ctrl-z, ctrl-_, alt-a to alt-z, alt-0 to alt-9';
  return problem(
    `${quoted} is not a possible key; ${nearest === null ? `there are ${known}` : `the nearest is ${nearest}`}`,
  );
}

function problem(why: string): ReadKey {
  return { kind: 'problem', why };
}

/** The first key that two actions would share, as text, with the action for which it was chosen; null if there is none. Pure. */
export function keyConflict(chosen: ChosenKeys): { readonly action: ActionName; readonly why: string } | null {
  const owners = new Map<string, ActionName>();
  // Default keys come first, so that the action named is the chosen one.
  const ordered = BINDABLE_ACTIONS.toSorted(
    (one, other) => Number(chosen[one.name] !== undefined) - Number(chosen[other.name] !== undefined),
  );
  for (const { name, keys } of ordered) {
    for (const key of new Set(chosen[name] ?? keys)) {
      const owner = owners.get(key);
      if (owner !== undefined)
        return { action: name, why: `${key} is the key of ${owner} too; give that one another key, or none` };
      owners.set(key, name);
    }
  }
  return null;
}

/** The chosen keys must have no conflict. */
export function bindingsOf(chosen: ChosenKeys): Bindings {
  const keysOf = ({ name, keys }: (typeof BINDABLE_ACTIONS)[number]): readonly string[] => chosen[name] ?? keys;
  return {
    keys: Object.fromEntries(BINDABLE_ACTIONS.map((each) => [each.name, keysOf(each)])) as unknown as Bindings['keys'],
    actions: new Map(BINDABLE_ACTIONS.flatMap((each) => keysOf(each).map((key) => [key, each.action] as const))),
  };
}

export const DEFAULT_BINDINGS: Bindings = bindingsOf({});

/** The key to name in advice; null if the action has none. */
export function firstKey({ keys }: Pick<Bindings, 'keys'>, name: ActionName): string | null {
  return keys[name][0] ?? null;
}
