import type { ViewStore } from '../../../tui/store/view-store.ts';

interface RunScriptParts {
  readonly store: ViewStore;
  readonly nowMs: () => number;
  /** Resolves when the command has ended. */
  readonly request: (script: string) => Promise<unknown>;
  readonly failed: (error: unknown) => void;
  readonly queue: { sendNext(): void; returnToPrompt(): void };
}

/** Runs a `!command`. Never rejects. What is sent meanwhile is queued. */
export async function runScript(
  { store, nowMs, request, failed, queue }: RunScriptParts,
  script: string,
): Promise<void> {
  store.dispatch({ kind: 'run-started', atMs: nowMs(), command: true });
  await request(script).catch(failed);
  const { run } = store.current;
  store.dispatch({ kind: 'command-ended' });
  // Who stopped it has stopped what was to follow, too.
  if (run.kind === 'running' && run.interrupting) queue.returnToPrompt();
  else queue.sendNext();
}
