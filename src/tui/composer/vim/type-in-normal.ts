import { graphemesOf } from '../../../lib/text/graphemes.ts';
import { afterKeys } from './repeat.ts';
import { vimKey } from './vim-keys.ts';
import type { Vim, VimEdit } from './vim-keys.ts';

interface Typed {
  readonly text: string;
  readonly cursor: number;
  readonly killed: string;
  readonly vim: Vim | null;
}

type Change = VimEdit | { readonly kind: 'insert'; readonly text: string } | { readonly kind: 'normal-mode' };
type Apply<T> = (composer: T, change: Change) => T;

/** Handles keys that arrived in one piece: after a key that starts insert mode, the rest is text. */
export function typeInNormal<T extends Typed>(composer: T, vim: Vim, text: string, apply: Apply<T>): T {
  const key = graphemesOf(text)[0]?.text ?? '';
  const again = key === '.' && vim.pending === '' ? vim.repeat.last : null;
  const next = again === null ? typeKey(composer, vim, key, apply) : changeAgain(composer, again, apply);
  const rest = text.slice(key.length);
  return rest === '' ? next : apply(next, { kind: 'insert', text: rest });
}

function typeKey<T extends Typed>(composer: T, vim: Vim, key: string, apply: Apply<T>): T {
  const step = vimKey(vim, composer, key);
  const begun = { ...composer, vim: { ...vim, ...step.vim } };
  const next = step.edits.reduce<T>((before, each) => apply(before, each), begun);
  const keys = vim.pending + key;
  const repeat = afterKeys(vim.repeat, { keys, before: composer, after: next, mode: step.vim.mode });
  return { ...next, vim: { ...begun.vim, repeat } };
}

/** Repeats the last change at the cursor. */
function changeAgain<T extends Typed>(
  composer: T,
  { keys, typed }: NonNullable<Vim['repeat']['last']>,
  apply: Apply<T>,
): T {
  const texts = [...graphemesOf(keys).map(({ text }) => text), ...(typed === '' ? [] : [typed])];
  const done = texts.reduce<T>((before, text) => apply(before, { kind: 'insert', text }), composer);
  return done.vim?.mode === 'insert' ? apply(done, { kind: 'normal-mode' }) : done;
}
