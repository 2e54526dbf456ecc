import type { SessionFacts } from '../../contracts/session/session-facts.ts';
import type { SessionOptions } from '../../contracts/session/session-protocol.ts';
import type { Progress, Snapshot } from '../../contracts/session/session-snapshot.ts';

export type { Snapshot } from '../../contracts/session/session-snapshot.ts';

const NO_FACTS: SessionFacts = {
  baseline: null,
  red: null,
  green: null,
  proof: null,
  prepared: null,
  review: null,
  context: null,
};

export function newSnapshot(options: SessionOptions, nowMs: number): Snapshot {
  return {
    ...NO_FACTS,
    version: 1,
    options,
    task: '',
    running: false,
    exemption: null,
    queued: [],
    taken: [],
    undone: [],
    kind: null,
    opened: null,
    plain_on_head: null,
    plan: null,
    todo: [],
    plan_commit: null,
    titled: false,
    last_tests: null,
    test_network: null,
    failing_files: [],
    question: null,
    revisions: [],
    findings: [],
    coverage: null,
    sent_back: false,
    hanging_checks: [],
    added_packages: [],
    dirty_at_start: null,
    base: null,
    commit_message: null,
    commit_refused: null,
    usage: { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0 },
    cost_usd: 0,
    model_turns: 0,
    idle_answers: 0,
    refused: { gate: false, policy: false, review: false },
    gave_up: null,
    last_refusal: null,
    notes_sent: { environment: null, project: null, state: null, folders: [] },
    inherited_messages: 0,
    archived_as: null,
    forked_from: null,
    pins: [],
    refusals: [],
    compact: null,
    bytes_per_token: 3.5,
    spending: [],
    stand_in: null,
    outages: [],
    refused_images: [],
    answered_by: [],
    answer: '',
    run_started_ms: nowMs,
    files_changed: [],
  };
}

/**
 * The snapshot for the next task: it keeps the options, the conversation with its queue, and the totals, but no
 * evidence.
 */
export function forNextTask(snapshot: Snapshot, task: string, nowMs: number): Snapshot {
  const { taken, queued, last_refusal, notes_sent, pins, compact, bytes_per_token, spending, context } = snapshot;
  const { coverage, stand_in, outages, refused_images, inherited_messages, forked_from, undone } = snapshot;
  const kept = { taken, queued, last_refusal, notes_sent, pins, compact, bytes_per_token, spending, context };
  return {
    ...newSnapshot(snapshot.options, nowMs),
    task,
    ...kept,
    coverage,
    stand_in,
    outages,
    refused_images,
    inherited_messages,
    forked_from,
    undone,
  };
}

/** The small part of a snapshot, without the facts that have their own rows. */
export function progressOf(snapshot: Snapshot): Progress {
  const { baseline: _b, red: _r, green: _g, proof: _o, prepared: _p, review: _v, context: _c, ...progress } = snapshot;
  return progress;
}
