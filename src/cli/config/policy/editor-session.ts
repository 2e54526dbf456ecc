/** What asked for an end before the person had decided. */
export type EndedBy = 'SIGINT' | 'SIGTERM';

export type Edited =
  | { readonly kind: 'closed' }
  | { readonly kind: 'no-editor' }
  /** It could not be run, or said that it failed: what is in the file is not what anybody means. */
  | { readonly kind: 'failed'; readonly why: string }
  /** The editor has ended by this, or was ended because of it. */
  | { readonly kind: 'ended'; readonly by: EndedBy };

/** A line; null: there is no terminal to ask at. */
export type Answer = string | null | { readonly kind: 'ended'; readonly by: 'end-of-input' | EndedBy };

/** What the command needs of the person at the terminal. */
export interface EditorSession {
  /** Opens the file, and resolves when no editor runs any more, whatever it was that ended it. */
  edit(file: string): Promise<Edited>;
  /** `signal`: the question is moot; whatever it resolves to then, the terminal is free again. */
  ask(question: string, signal?: AbortSignal): Promise<Answer>;
  /** Resolves when an end was asked for while no editor ran. */
  readonly ended?: Promise<EndedBy>;
}
