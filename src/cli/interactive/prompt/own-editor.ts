import { editElsewhere } from './edit-elsewhere.ts';
import type { EditElsewhereParts, Edited } from './edit-elsewhere.ts';
import type { RunningEditor } from '../../editor/run-editor.ts';
import type { Screen } from '../screen/mount-screen.tsx';

export interface OwnEditorParts extends Pick<EditElsewhereParts, 'env' | 'keep'> {
  /** The screen that otherwise uses the terminal. */
  readonly screen: () => Pick<Screen, 'lend'>;
}

/** The person's editor, which uses the screen's terminal while it runs. */
export class OwnEditor {
  readonly #parts: OwnEditorParts;
  #running: Pick<RunningEditor, 'terminate'> | null = null;
  #isLate = false;
  #last: Promise<Edited> = Promise.resolve({ kind: 'no-terminal' });

  constructor(parts: OwnEditorParts) {
    this.#parts = parts;
  }

  /** While true, a Ctrl-C belongs to the editor. */
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

  /** From here on the text of an open editor is not used. Resolves, when it has ended, to the files in which the text is stored. */
  async close(how: 'wait' | 'terminate'): Promise<readonly string[]> {
    if (this.#running === null) return [];
    this.#isLate = true;
    if (how === 'terminate') this.#running.terminate();
    const edited = await this.#last;
    return edited.kind === 'unusable' ? edited.kept : [];
  }
}
