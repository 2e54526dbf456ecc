import type { DiffFile } from '../diff/read-diff.ts';
import type { Card } from '../review/card.ts';
import type { TestReport } from '../store/item.ts';
import type { SafeText } from '../store/safe-text.ts';
import type { Raw, Row } from '../text/span.ts';

/** What takes the keys and the place of the prompt until it is closed. Where somebody looks in it is state of its component. */
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

/** A list of which one entry is chosen. */
export interface PickerList {
  readonly title: SafeText;
  readonly entries: readonly PickerEntry[];
  /** The id of the entry that is marked first; absent: that of the first one. */
  readonly first?: string;
}

export interface Picker extends PickerList {
  readonly kind: 'picker';
  readonly purpose: PickerPurpose;
}

/** While an entry of `theme` is marked, the screen is drawn in it. */
export type PickerPurpose = 'session' | 'message' | 'model' | 'theme';

export interface PickerEntry {
  readonly id: string;
  readonly label: SafeText;
  /** Below how many others it is, as a branch of the last one of them; absent: none. Only drawn where nothing is searched for. */
  readonly depth?: number;
  /** At the right end: an age, a state. */
  readonly aside: SafeText;
  readonly preview: readonly SafeText[];
  /** Only there for who searches for it. */
  readonly isHidden?: boolean;
  /** Drawn below the list as it is, in place of a preview. */
  readonly sample?: readonly Row[];
}

/** A call that has ended, as much of it as the screen keeps. */
export interface FinishedCall {
  readonly callId: string;
  readonly tool: SafeText;
  readonly target: SafeText;
  readonly ok: boolean;
  readonly durationMs: number;
  readonly tests: TestReport | null;
}

/** What the model thought before it went on. */
export interface FinishedThought {
  readonly thought: Raw;
  readonly durationMs: number;
}

/** What the kernel keeps of a call. */
export interface CallDetails {
  readonly input: Raw;
  /** As the model got it. */
  readonly output: Raw;
}
