/** Key styles at the prompt: those of a shell (like Emacs), or of vi. */
export const KEY_STYLES = ['emacs', 'vim'] as const;
export type KeyStyle = (typeof KEY_STYLES)[number];
