/** Keys at the prompt: those of a shell, which are Emacs', or of vi. */
export const KEY_STYLES = ['emacs', 'vim'] as const;
export type KeyStyle = (typeof KEY_STYLES)[number];
