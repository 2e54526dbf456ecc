import type { Edit } from '../composer/composer.ts';

/** What a key means here. */
export type KeyAction =
  | { readonly kind: 'edit'; readonly edit: Edit }
  | { readonly kind: 'submit' }
  | { readonly kind: 'interrupt' }
  /** Ctrl-D: leaves on an empty line. */
  | { readonly kind: 'end-of-input' }
  | { readonly kind: 'complete' }
  | { readonly kind: 'suspend' }
  /** Shift-Tab: from strict to explore, and back to strict. */
  | { readonly kind: 'next-mode' }
  /** Ctrl-L: the screen starts empty; what it shows is scrolled off it. */
  | { readonly kind: 'redraw' }
  /** Esc: stops the run. */
  | { readonly kind: 'escape' }
  /** Ctrl-G: the prompt in the person's editor. */
  | { readonly kind: 'editor' }
  /** Ctrl-O: calls with their input and output, or the waiting review file by file. */
  | { readonly kind: 'open' }
  /** The image of the clipboard. */
  | { readonly kind: 'paste-image' }
  /** Page Up and Page Down. */
  | { readonly kind: 'page'; readonly step: -1 | 1 }
  /** Requests of an open panel. */
  | { readonly kind: 'close-panel' }
  | { readonly kind: 'load-page'; readonly page: number }
  | { readonly kind: 'marked'; readonly id: string }
  | { readonly kind: 'picked'; readonly id: string };
