import type { ScriptedCall, ScriptedRequest } from '../../../test/support/wire/script.ts';
import type { Step } from './transcript.ts';

/** Where an agent is run: everything of it is in a directory that is removed afterwards. */
export interface Place {
  /** A repository with one commit. */
  readonly project: string;
  /** Its home. */
  readonly home: string;
  readonly task: string;
  readonly service: Service;
  /** Resolves when the model has said that it is done. */
  readonly finished: Promise<void>;
}

/** The scripted service as an agent has to know it. */
export interface Service {
  readonly wire: 'responses' | 'messages';
  readonly url: string;
  readonly model: string;
  /** Tokens of input and output that the model has, as the agent is configured. */
  readonly windowTokens: number;
  readonly maxOutputTokens: number;
}

/** A coding agent that plays the transcript. */
export interface Agent {
  readonly name: string;
  /** What is said beside its name: a version, a setting. */
  readonly note: string;
  readonly wires: readonly Service['wire'][];
  /** Its own call for a step; null: it knows no such step, and the model leaves it out. */
  readonly callFor: (step: Step) => ScriptedCall | null;
  /** Whether it asks for a summary of the conversation, and not for the next step. */
  readonly wantsSummary: (request: ScriptedRequest) => boolean;
  /** Resolves to the milliseconds from the start of its program to the end, if it has ended well; throws otherwise. */
  readonly run: (place: Place) => Promise<number>;
}
