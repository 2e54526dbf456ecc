import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { UserFacingError } from '../../contracts/fluffy-error.ts';
import { safeLine, safeLines } from '../../tui/store/safe-text.ts';
import type { ViewStore } from '../../tui/store/view-store.ts';

/** Messages of an interactive session to the person, apart from the events of the kernel. */
export interface ScreenMessages {
  /** A line below the prompt, until the next one. */
  readonly hint: (text: string) => void;
  /** Lines in the scrollback. */
  readonly answer: (text: string) => void;
  /** An occurrence, as a line in the scrollback. */
  readonly note: (text: string) => void;
  readonly warn: (text: string) => void;
  readonly problem: (error: Pick<UserFacingError, 'what' | 'why' | 'fix'>) => void;
  /** A failed request, with any exception. */
  readonly failed: (error: unknown) => void;
}

export function screenMessages(store: ViewStore): ScreenMessages {
  const problem: ScreenMessages['problem'] = ({ what, why, fix }) =>
    store.dispatch({
      kind: 'say',
      item: { kind: 'problem', what: safeLine(what), why: safeLine(why), fix: safeLine(fix) },
    });
  const hint: ScreenMessages['hint'] = (text) => store.dispatch({ kind: 'hint', text: safeLine(text) });
  return {
    hint,
    answer: (text) => store.dispatch({ kind: 'say', item: { kind: 'answer', lines: safeLines(text) } }),
    note: (text) => store.dispatch({ kind: 'say', item: { kind: 'note', level: 'info', text: safeLine(text) } }),
    warn: (text) => store.dispatch({ kind: 'say', item: { kind: 'note', level: 'warn', text: safeLine(text) } }),
    problem,
    failed: (error) => {
      // It concerns what was typed here, not a command line.
      if (error instanceof FluffyError && error.code === 'usage') hint(`${error.why}. ${error.fix}`);
      else if (error instanceof FluffyError) problem(error);
      else
        problem({
          what: 'The request to the kernel failed',
          why: String(error),
          fix: 'Try again; fluffy doctor looks for the cause',
        });
    },
  };
}
