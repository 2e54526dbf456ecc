import type { RecordedMessage } from '../conversation.ts';

/** A form in which agents record conversations. */
export interface RecordingFormat {
  readonly name: string;
  /** Ends of the names of files that may have it. */
  readonly endings: readonly string[];
  /** The conversations of a file, each as its messages; none if the file is something else. */
  readonly read: (text: string) => readonly (readonly RecordedMessage[])[];
}
