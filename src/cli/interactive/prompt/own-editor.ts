import { editElsewhere } from './edit-elsewhere.ts';
import type { EditElsewhereParts, Edited } from './edit-elsewhere.ts';
import type { RunningEditor } from '../../editor/run-editor.ts';
import type { Screen } from '../screen/mount-screen.tsx';

export interface OwnEditorParts extends Pick<EditElsewhereParts, 'env' | 'keep'> {
  /** The screen that has the terminal otherwise. */
  readonly screen: () => Pick<Screen, 'lend'>;
}

/** The person's editor, which has the terminal of the screen from its start to its end. */
export class OwnEditor {
  readonly #parts: OwnEditorParts;
  #running: Pick<RunningEditor, 'terminate'> | null = null;
  #isLate = false;
  #last: Promise<Edited> = Promise.resolve({ kind: 'no-terminal' });

  constructor(parts: OwnEditorParts) {
    this.#parts = parts;
  }

  /** A Ctrl-C is then the editor's own affair. */
  get isOpen(): boolean {
    return this.#running !== null;
  }

  edit(text: string, name: string): Promise<Edited> {
    const { env, keep, screen } = this.#parts;
    const { lend } = screen();
    if (lend === null) return Promise.resolve({ kind: 'no-terminal' });
    const onOpen = (editor: Pick<RunningEditor, 'terminate'>): void => {
      this.#running = editor;
    };
    const isLate = (): boolean => this.#isLate;
    this.#last = lend(() =>
      editElsewhere(text, name, { env, keep, onOpen, isLate }).finally(() => {
        this.#running = null;
      }),
    );
    return this.#last;
  }

  /** From here on nobody uses what an open editor saves. Resolves, when it has ended, to the files in which that is kept. */
  async close(how: 'wait' | 'terminate'): Promise<readonly string[]> {
    if (this.#running === null) return [];
    this.#isLate = true;
    if (how === 'terminate') this.#running.terminate();
    const edited = await this.#last;
    return edited.kind === 'unusable' ? edited.kept : [];
  }
}
