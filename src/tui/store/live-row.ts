import type { Row } from '../text/span.ts';
import type { SafeText } from './safe-text.ts';
import type { RunningTool } from './view-state.ts';

/** One row of the live region. Each is drawn in exactly one row of the terminal, cut at the edge. */
export type LiveRow =
  | { readonly kind: 'blank' }
  | { readonly kind: 'text'; readonly text: SafeText; readonly role: 'plain' | 'dim' }
  /** What a model says, behind its margin. */
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
      /** Cells that names take, so that the words behind them stand in a column. */
      readonly nameCells: number;
      readonly help: SafeText;
      readonly selected: boolean;
    }
  /** A row of a message of ours; a message that is wider than the terminal has several. */
  | { readonly kind: 'hint'; readonly row: Row };
