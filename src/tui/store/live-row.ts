import type { Row } from '../text/span.ts';
import type { SafeText } from './safe-text.ts';
import type { RunningTool } from './view-state.ts';

/** One row of the live region. Each is drawn in exactly one row of the terminal, cut at the edge. */
export type LiveRow =
  | { readonly kind: 'blank' }
  | { readonly kind: 'text'; readonly text: SafeText; readonly role: 'plain' | 'dim' }
  /** Text of a model, after its margin. */
  | { readonly kind: 'said'; readonly row: Row }
  | { readonly kind: 'tool'; readonly tool: RunningTool }
  | { readonly kind: 'reads'; readonly text: SafeText }
  | { readonly kind: 'busy'; readonly text: SafeText }
  | { readonly kind: 'queued'; readonly text: SafeText }
  | { readonly kind: 'review'; readonly row: Row }
  | { readonly kind: 'strip'; readonly row: Row }
  | {
      readonly kind: 'menu';
      readonly name: SafeText;
      /** Cells of the name column, so that the words after it are aligned. */
      readonly nameCells: number;
      readonly help: SafeText;
      readonly selected: boolean;
    }
  /** A row of one of Fluffy's messages; a message wider than the terminal has several. */
  | { readonly kind: 'hint'; readonly row: Row };
