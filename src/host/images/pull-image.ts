import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import { openExchange } from '../../ipc/unix-http.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { type Engine, engineRefused, engineUnreachable } from './engine-api.ts';
import { findImage } from './engine-images.ts';
import { PullProgress } from './pull-progress.ts';

export interface PullOptions {
  readonly onProgress: (line: string) => void;
  /** Waits before the next request to the registry. */
  readonly pause?: (ms: number) => Promise<void>;
}

const ATTEMPTS = 5;
const FIRST_PAUSE_MS = 2_000;
/** The engine is silent while it unpacks a large layer. */
const SILENCE_MS = 600_000;
/** Answers by which a registry or its proxy asks to try later. The engine itself retries parts of a layer and resumes them. */
const LATER =
  /\b(?:HTTP|status:?|code:?) (?:429|502|503|504)\b|too ?many ?requests|service unavailable|bad gateway|gateway timeout|connection (?:reset|refused)|unexpected EOF|i\/o timeout|TLS handshake timeout|deadline exceeded/i;

/**
 * Has the engine pull an image from its registry; resolves to its id. If the registry is not ready, it is asked a few more times. The engine checks
 * the digests of the manifest (if the reference has one) and of each layer.
 *
 * @throws FluffyError `image_not_pulled`, `engine_unreachable`
 */
export async function pullImage(
  engine: Engine,
  reference: string,
  { onProgress, pause = (ms) => sleep(ms) }: PullOptions,
): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const why = await attemptPull(engine, reference, onProgress);
    if (why === null) break;
    if (!LATER.test(why) || attempt === ATTEMPTS) throw notPulled(reference, why);
    const pauseMs = FIRST_PAUSE_MS * 2 ** (attempt - 1);
    onProgress(`the registry is not ready (${why}): asking again in ${pauseMs / 1000} s`);
    await pause(pauseMs);
  }
  const id = await findImage(engine, reference);
  if (id === undefined) throw engineRefused(reference, 'the engine reported success, but has no such image');
  return id;
}

/** Why the pull failed; null if it succeeded. */
async function attemptPull(
  engine: Engine,
  reference: string,
  onProgress: PullOptions['onProgress'],
): Promise<string | null> {
  const path = `/images/create?${new URLSearchParams(namedBy(reference)).toString()}`;
  try {
    const answer = await openExchange({
      socketPath: engine.socketPath,
      method: 'POST',
      path,
      timeoutMs: SILENCE_MS,
    });
    const progress = new PullProgress();
    const texts: string[] = [];
    for await (const line of createInterface({ input: answer })) {
      if (answer.statusCode !== 200) texts.push(line);
      const shown = progress.add(line);
      if (shown !== null) onProgress(`pulling ${reference}: ${shown}`);
    }
    return answer.statusCode === 200 ? progress.error : messageIn(texts.join('\n'));
  } catch (cause) {
    throw engineUnreachable(engine, `POST ${path}`, cause);
  }
}

/** The engine accepts a digest in place of a tag. */
function namedBy(reference: string): { readonly fromImage: string; readonly tag: string } {
  const [name = '', digest] = reference.split('@');
  const [fromImage = '', tag = 'latest'] = name.split(/:(?=[^:/]*$)/);
  return { fromImage, tag: digest ?? tag };
}

function messageIn(text: string): string {
  const value = parseJson(text);
  const hasMessage = typeof value === 'object' && value !== null && 'message' in value;
  return hasMessage ? String(value.message) : text.trim();
}

function notPulled(reference: string, why: string): FluffyError {
  return new FluffyError({
    code: 'image_not_pulled',
    what: `The image ${reference} could not be pulled`,
    why,
    fix: `check its name and the engine's access to the registry; if it needs a login, run docker pull ${reference}`,
    exitCode: EXIT.noRuntime,
  });
}
