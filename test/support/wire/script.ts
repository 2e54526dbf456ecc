/** What a scripted model does when it is asked. The same scripts play over every vendor's wire. */

export interface ScriptedCall {
  /** Canonical, dotted. */
  readonly tool: string;
  readonly input?: unknown;
  /** Sent as it is instead of `input`: arguments that are no JSON. */
  readonly rawArguments?: string;
  readonly id?: string;
}

/** How an answer travels. */
export interface Delivery {
  readonly beforeMs?: number;
  readonly betweenEventsMs?: number;
  /** Bytes to a write; 1 splits everything that can be split, multi-byte characters included. */
  readonly bytesPerWrite?: number;
  /** The connection is lost after this many events. */
  readonly cutAfterEvents?: number;
  /** The connection ends in an orderly way after this many events, as a proxy's does that gives up. */
  readonly endAfterEvents?: number;
  readonly withoutContentType?: boolean;
}

export interface CountedTokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** Where the wire counts it; not part of `input` there. */
  readonly cacheWrite?: number;
}

export interface ScriptedTurn extends Delivery {
  readonly kind: 'turn';
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly stop?: 'end_turn' | 'tool_calls' | 'max_tokens' | 'refusal';
  /** `none`: the service counts nothing. */
  readonly usage?: 'none' | CountedTokens;
  /** What the model thinks before it answers, where the wire shows that. */
  readonly thinking?: string;
  /** Characters of text or arguments to an event. */
  readonly chunkLength?: number;
  /** An error event instead of the rest. */
  readonly errorAfterEvents?: { readonly events: number; readonly type: string; readonly message: string };
}

export type ScriptedReply =
  | ScriptedTurn
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly type: string;
      readonly message: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** An answer that is not the protocol's: a proxy's HTML page, say. */
  | {
      readonly kind: 'raw';
      readonly status: number;
      readonly contentType: string;
      readonly body: string | Buffer;
      readonly headers?: Readonly<Record<string, string>>;
      /** The body is sent over and over until the client has gone. */
      readonly isEndless?: boolean;
    }
  /** The connection is closed without an answer. */
  | { readonly kind: 'drop' }
  /** No answer ever comes. */
  | { readonly kind: 'silence' };

/** Tokens that a service reports where a script says nothing of them; null: none. */
export function countedTokens({ usage }: ScriptedTurn): CountedTokens | null {
  return usage === 'none' ? null : (usage ?? { input: 100, output: 20, cacheRead: 0 });
}

export function turn(fields: Omit<ScriptedTurn, 'kind'>): ScriptedTurn {
  return { kind: 'turn', ...fields };
}

export function calls(...list: readonly ScriptedCall[]): ScriptedTurn {
  return turn({ calls: list });
}

/** The vendor-neutral view of a request, for scripts that react. */
export interface ScriptedRequest {
  readonly index: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it came. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly model: string;
  readonly system: string;
  /** Wire names of the tools offered. */
  readonly tools: readonly string[];
  /** Results in the last message, in order. */
  readonly results: readonly { readonly callId: string; readonly content: string }[];
  /** Text of the last message, without the kernel's notes. */
  readonly lastText: string;
  /** State of the session, as the newest note says; '' if none does. */
  readonly state: string;
  /** The body to the letter. */
  readonly bytes: string;
}

/** What a list of replies ends with: every further request. */
export const OVER: ScriptedReply = {
  kind: 'error',
  status: 400,
  type: 'invalid_request_error',
  message: 'the script is over',
};

/** A list is played in order, one entry a request, retries included. */
export type Script = readonly ScriptedReply[] | ((request: ScriptedRequest) => ScriptedReply | Promise<ScriptedReply>);
