import type { DiffFile } from '../diff/read-diff.ts';
import type { Card } from '../review/card.ts';
import type { TestReport } from '../store/item.ts';
import type { SafeText } from '../store/safe-text.ts';
import type { Raw, Row } from '../text/span.ts';

/** A panel takes the keys and the place of the prompt until it is closed. The position in it is state of its component. */
export type Panel = Pager | Picker;

/** Pages to read: calls, or the parts of a review. */
export interface Pager {
  readonly kind: 'pager';
  readonly noun: string;
  readonly pages: readonly Page[];
  /** The page that is shown first. */
  readonly first: number;
}

export type Page =
  | { readonly kind: 'call'; readonly call: FinishedCall; readonly details: CallDetails | 'loading' }
  | ({ readonly kind: 'thought' } & FinishedThought)
  | { readonly kind: 'overview'; readonly card: Card }
  | { readonly kind: 'file'; readonly file: DiffFile; readonly label: Row };

/** A list in which one entry is chosen. */
export interface PickerList {
  readonly title: SafeText;
  readonly entries: readonly PickerEntry[];
  /** Id of the entry that is marked first; absent: the first one. */
  readonly first?: string;
}

export interface Picker extends PickerList {
  readonly kind: 'picker';
  readonly purpose: PickerPurpose;
}

/** While an entry of `theme` is marked, the screen is drawn in that theme. */
export type PickerPurpose = 'session' | 'message' | 'model' | 'theme';

export interface PickerEntry {
  readonly id: string;
  readonly label: SafeText;
  /** Depth below other entries, as a branch of the last one before it; absent: 0. Drawn only without a search. */
  readonly depth?: number;
  /** At the right end: an age or a state. */
  readonly aside: SafeText;
  readonly preview: readonly SafeText[];
  /** Shown only in a search. */
  readonly isHidden?: boolean;
  /** Drawn below the list unchanged, in place of a preview. */
  readonly sample?: readonly Row[];
}

/** A finished call, as far as the screen stores it. */
export interface FinishedCall {
  readonly callId: string;
  readonly tool: SafeText;
  readonly target: SafeText;
  readonly ok: boolean;
  readonly durationMs: number;
  readonly tests: TestReport | null;
}

/** The model's thoughts before it went on. */
export interface FinishedThought {
  readonly thought: Raw;
  readonly durationMs: number;
}

/** The kernel's record of a call. */
export interface CallDetails {
  readonly input: Raw;
  /** As the model got it. */
  readonly output: Raw;
}
