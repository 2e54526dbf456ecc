import type { ModelEvent } from '../../src/contracts/model/model.ts';
import { runSession } from '../../src/kernel/run/run-session.ts';
import { addUserMessage } from '../../src/kernel/session/user-messages.ts';
import { countingModel } from '../support/kernel/counting-model.ts';
import { testKernel } from '../support/kernel/test-kernel.ts';
import type { TestKernel } from '../support/kernel/test-kernel.ts';
import type { Conversation, RecordedCall, RecordedTurn } from './conversation.ts';
import { projectRootOf } from './paths.ts';
import { projectOf } from './project.ts';
import { translate } from './translate.ts';
import type { OurCall, Scene } from './translate.ts';

/**
 * How a recording is played. `as-sent`: tools and arguments as the model wrote them. `renamed`: our name of the tool, where we have one, and the
 * arguments as they were. `translated`: calls of ours that do the same.
 */
export const PLAYS = ['as-sent', 'renamed', 'translated'] as const;
export type Play = (typeof PLAYS)[number];

export interface Replay {
  readonly kernel: TestKernel;
  /** Turns of the recording that were played, and requests for which it had none left. */
  readonly played: number;
  readonly beyond: number;
}

/** Small, so that long recordings are compacted. */
const WINDOW_TOKENS = 64_000;
const MAX_SENT_CHARACTERS = 60_000;
/** A run that asks this often after the recording is over would go on for ever. */
const MAX_BEYOND = 60;

/** Plays a recorded model against a kernel in memory whose project holds what the recording shows of it. */
export async function replay(conversation: Conversation, play: Play): Promise<Replay> {
  const root = projectRootOf(conversation);
  const kernel = testKernel({
    mode: play === 'translated' ? 'explore' : 'strict',
    state: play === 'translated' ? 'exploring' : 'planning',
    files: { 'package.json': '{}', ...projectOf(conversation, root) },
    options: { window_tokens: WINDOW_TOKENS, max_output_tokens: 16_000, limits: { max_turns: 100_000 } },
    ...(root === '' ? {} : { kernelOptions: { project_root: root } }),
    answer: 'approve',
  });
  const { session, workspace, sandboxes } = kernel;
  const scene: Scene = { root, read: (path) => workspace.text(path), open: null };
  let printed: readonly string[] = [];
  sandboxes.tools.set('shell.run', () => ranWith(printed.join('\n')));
  let played = 0;
  let beyond = 0;
  const model = countingModel({
    windowTokens: WINDOW_TOKENS * 4,
    answer: () => {
      const turn = conversation.turns[played];
      if (turn === undefined) {
        beyond += 1;
        if (beyond > MAX_BEYOND) throw new Error('the run goes on without end');
        return eventsOf('That is all.', [], `b${beyond}`);
      }
      played += 1;
      printed = turn.calls.map(({ result }) => result?.text ?? '');
      return eventsOf(
        turn.text,
        turn.calls.flatMap((call) => callsOf(call, play, kernel, scene)),
        `t${played}`,
      );
    },
  });
  sandboxes.chat = model.chat;
  // A run ends where the recorded agent went on with the user's next message.
  do {
    addUserMessage(session, { text: saidBefore(conversation.turns[played]) });
    await runSession(kernel.services, session, new AbortController().signal);
  } while (played < conversation.turns.length && kernel.eventsOf('session.finished').length < 1_000);
  return { kernel, played, beyond };
}

function saidBefore(turn: RecordedTurn | undefined): string {
  return turn?.said ?? 'Go on.';
}

function callsOf(call: RecordedCall, play: Play, { services }: TestKernel, scene: Scene): readonly SentCall[] {
  const asSent = { id: call.id, tool: call.tool, text: call.arguments };
  switch (play) {
    case 'as-sent':
      return [asSent];
    case 'renamed':
      return [{ ...asSent, tool: services.tools().known(call.tool)?.name ?? call.tool }];
    case 'translated': {
      const ours = translate(call, scene);
      return ours === null ? [asSent] : ours.map((each, index) => sentAs(each, `${call.id}_${index}`));
    }
  }
}

function sentAs({ tool, input }: OurCall, id: string): SentCall {
  return { id, tool, text: JSON.stringify(input) };
}

interface SentCall {
  readonly id: string;
  readonly tool: string;
  readonly text: string;
}

/** Ids are the recording's, as far as they are no two alike; a provider program sees to that before the kernel. */
function eventsOf(text: string, calls: readonly SentCall[], prefix: string): readonly ModelEvent[] {
  return [
    ...(text === '' ? [] : [{ type: 'text_delta' as const, text: text.slice(0, MAX_SENT_CHARACTERS) }]),
    ...calls.flatMap((call, index): ModelEvent[] => [
      {
        type: 'call_start',
        index,
        call_id: `${prefix}_${index}_${call.id}`.slice(0, 200),
        tool: call.tool.slice(0, 200),
      },
      { type: 'call_delta', index, arguments_delta: call.text },
      { type: 'call_end', index },
    ]),
    { type: 'usage', usage: { input_tokens: 1, output_tokens: 1, cache_read_tokens: 0 } },
    { type: 'done', stop: calls.length === 0 ? 'end_turn' : 'tool_calls' },
  ];
}

function ranWith(stdout: string): unknown {
  const exit = { kind: 'exited', code: 0 };
  return {
    results: [{ exit, stdout: stdout.slice(0, MAX_SENT_CHARACTERS), stderr: '', truncated: false, duration_ms: 1 }],
  };
}
