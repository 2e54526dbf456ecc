/**
 * Runs in the worker of one extension, which has no permissions. It shares its globals with the extension, so its messages are trusted no more
 * than those of the extension: an answer to one request. No imports: it stays small, and the extension gets no other code.
 */
interface WorkerScope {
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  postMessage(message: unknown): void;
}

interface Loading {
  readonly kind: 'load';
  readonly name: string;
  readonly source: string;
}

interface Evaluating {
  readonly kind: 'evaluate';
  readonly id: number;
  readonly request: object;
}

/** Globals that reach outside a worker, or start another one. Deno refuses all of them without permission; a rule does not need them either. */
const REMOVED: readonly string[] = [
  'Deno',
  'Worker',
  'BroadcastChannel',
  'WebSocket',
  'WebSocketStream',
  'EventSource',
  'fetch',
  'caches',
  'navigator',
  'process',
];

const MAX_WHAT_CHARACTERS = 1000;
const MAX_REASON_CHARACTERS = 500;

const scope = globalThis as unknown as WorkerScope;
const post = scope.postMessage.bind(scope);
for (const name of REMOVED) Reflect.deleteProperty(globalThis, name);

let rule: ((request: object) => unknown) | null = null;

scope.onmessage = (event) => {
  const message = event.data as Loading | Evaluating;
  if (message.kind === 'load') void load(message);
  else void evaluate(message);
};

async function load({ name, source }: Loading): Promise<void> {
  const url = URL.createObjectURL(new Blob([source], { type: 'application/typescript' }));
  try {
    const module = (await import(url)) as { readonly default?: unknown };
    if (typeof module.default !== 'function') throw new TypeError('it has no default export that is a function');
    rule = module.default as typeof rule;
    post({ kind: 'loaded' });
  } catch (error) {
    post({ kind: 'refused', what: describe(error).replaceAll(url, name) });
  }
}

async function evaluate({ id, request }: Evaluating): Promise<void> {
  try {
    if (rule === null) throw new Error('it has not been loaded');
    const answer: unknown = await rule(Object.freeze(request));
    const fault = faultOf(answer);
    post(fault === null ? { kind: 'answered', id, answer } : { kind: 'failed', id, what: fault });
  } catch (error) {
    post({ kind: 'failed', id, what: `it threw ${describe(error)}`.slice(0, MAX_WHAT_CHARACTERS) });
  }
}

/** What is wrong with an answer. Checked here, where a large answer costs only this worker. */
function faultOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return 'it did not return an object';
  const { decision, reason, ...others } = answer as Record<string, unknown>;
  if (typeof decision !== 'string') return 'its answer has no decision';
  if (decision.length > 100) return 'its answer has no known decision';
  if (Object.keys(others).length > 0) return 'its answer has a field other than decision and reason';
  if (reason === undefined) return null;
  if (typeof reason !== 'string') return 'the reason in its answer is not text';
  return reason.length > MAX_REASON_CHARACTERS
    ? `the reason in its answer has more than ${MAX_REASON_CHARACTERS} characters`
    : null;
}

function describe(error: unknown): string {
  try {
    return String(error).slice(0, MAX_WHAT_CHARACTERS);
  } catch {
    return 'something that cannot be shown';
  }
}
