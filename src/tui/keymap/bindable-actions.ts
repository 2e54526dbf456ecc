import type { KeyAction } from './key-action.ts';

interface BindableAction {
  /** In the configuration. */
  readonly name: string;
  /** By default. */
  readonly keys: readonly string[];
  readonly help: string;
  readonly action: KeyAction;
}

/** Actions for which a person can choose keys, in the order of `/keys`. Enter, Tab, Esc, arrow keys and Ctrl-C cannot be changed. */
export const BINDABLE_ACTIONS = [
  {
    name: 'open',
    keys: ['ctrl-o'],
    help: 'calls and thoughts in full, or the waiting review file by file',
    action: { kind: 'open' },
  },
  { name: 'editor', keys: ['ctrl-g'], help: 'the prompt in your editor', action: { kind: 'editor' } },
  {
    name: 'search',
    keys: ['ctrl-r'],
    help: 'search sent messages; again: the next older match',
    action: { kind: 'edit', edit: { kind: 'search-back' } },
  },
  {
    name: 'paste_image',
    keys: ['ctrl-v'],
    help: 'attach the image of the clipboard',
    action: { kind: 'paste-image' },
  },
  {
    name: 'undo',
    keys: ['ctrl-_'],
    help: 'undo the last change of the prompt',
    action: { kind: 'edit', edit: { kind: 'undo' } },
  },
  {
    name: 'yank',
    keys: ['ctrl-y'],
    help: 'insert the last erased text',
    action: { kind: 'edit', edit: { kind: 'yank' } },
  },
  {
    name: 'erase_word',
    keys: ['ctrl-w'],
    help: 'erase the word before the cursor',
    action: { kind: 'edit', edit: { kind: 'erase-word' } },
  },
  {
    name: 'erase_word_forward',
    keys: ['alt-d'],
    help: 'erase the word after the cursor',
    action: { kind: 'edit', edit: { kind: 'erase-word-forward' } },
  },
  {
    name: 'erase_to_start',
    keys: ['ctrl-u'],
    help: 'erase to the beginning of the line',
    action: { kind: 'edit', edit: { kind: 'erase-to-start' } },
  },
  {
    name: 'erase_to_end',
    keys: ['ctrl-k'],
    help: 'erase to the end of the line',
    action: { kind: 'edit', edit: { kind: 'erase-to-end' } },
  },
  {
    name: 'line_start',
    keys: ['ctrl-a'],
    help: 'to the beginning of the line',
    action: { kind: 'edit', edit: { kind: 'line-start' } },
  },
  {
    name: 'line_end',
    keys: ['ctrl-e'],
    help: 'to the end of the line',
    action: { kind: 'edit', edit: { kind: 'line-end' } },
  },
  {
    name: 'word_left',
    keys: ['alt-b'],
    help: 'a word to the left',
    action: { kind: 'edit', edit: { kind: 'word-left' } },
  },
  {
    name: 'word_right',
    keys: ['alt-f'],
    help: 'a word to the right',
    action: { kind: 'edit', edit: { kind: 'word-right' } },
  },
  {
    name: 'left',
    keys: ['ctrl-b'],
    help: 'a character to the left, like the arrow key',
    action: { kind: 'edit', edit: { kind: 'left' } },
  },
  {
    name: 'right',
    keys: ['ctrl-f'],
    help: 'a character to the right, like the arrow key',
    action: { kind: 'edit', edit: { kind: 'right' } },
  },
  {
    name: 'up',
    keys: ['ctrl-p'],
    help: 'a line up, or the previous sent message, like the arrow key',
    action: { kind: 'edit', edit: { kind: 'up' } },
  },
  {
    name: 'down',
    keys: ['ctrl-n'],
    help: 'a line down, or the next sent message, like the arrow key',
    action: { kind: 'edit', edit: { kind: 'down' } },
  },
  {
    name: 'redraw',
    keys: ['ctrl-l'],
    help: 'empty the screen; its content is in the scrollback',
    action: { kind: 'redraw' },
  },
  { name: 'suspend', keys: ['ctrl-z'], help: 'stop fluffy until fg', action: { kind: 'suspend' } },
  {
    name: 'leave',
    keys: ['ctrl-d'],
    help: 'leave, on an empty line; else erase the next character',
    action: { kind: 'end-of-input' },
  },
] as const satisfies readonly BindableAction[];

export type ActionName = (typeof BINDABLE_ACTIONS)[number]['name'];
