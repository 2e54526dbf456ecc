/** The signal that requested an end before the person had decided. */
export type EndedBy = 'SIGINT' | 'SIGTERM';

export type Edited =
  | { readonly kind: 'closed' }
  | { readonly kind: 'no-editor' }
  /** It could not run, or reported failure: the text in the file must not be used. */
  | { readonly kind: 'failed'; readonly why: string }
  /** The editor was ended by this signal, or because of it. */
  | { readonly kind: 'ended'; readonly by: EndedBy };

/** A line; null without a terminal. */
export type Answer = string | null | { readonly kind: 'ended'; readonly by: 'end-of-input' | EndedBy };

/** What the command needs of the person at the terminal. */
export interface EditorSession {
  /** Opens the file, and resolves when the editor has ended for any reason. */
  edit(file: string): Promise<Edited>;
  /** `signal` withdraws the question: the promise still resolves, and the terminal is free again. */
  ask(question: string, signal?: AbortSignal): Promise<Answer>;
  /** Resolves when an end was requested while no editor ran. */
  readonly ended?: Promise<EndedBy>;
}
