import type { ModelEvent } from '../../../contracts/model/model.ts';
import { firstText } from '../../../lib/text/first-last.ts';
import type { Services } from '../../services.ts';
import { modelInUse } from '../../session/model-in-use.ts';
import type { Session } from '../../session/session.ts';
import { smallModelOf } from '../../session/small-model.ts';
import { cutTitle } from '../../session/title.ts';
import type { SmallModel } from '../../session/small-model.ts';
import { askProvider } from './ask-provider.ts';
import { countUsage } from './count-usage.ts';
import { whyNotAsked } from './may-ask-model.ts';
import { ProviderPool } from './provider-pool.ts';
import { Reply } from './reply.ts';
import { wireName } from './request.ts';

const DEADLINE_MS = 60_000;
/** A thinking model needs output tokens for its thoughts first. */
const MAX_OUTPUT_TOKENS = 2_000;
const MAX_TASK_CHARACTERS = 4_000;

const TITLE_PROMPT =
  'You give sessions of a coding agent their titles. The message is the task that a user gave. Answer with a title of at most eight words, in the language of the task, and nothing else. Do not do the task.';

/**
 * Asks the small model for the session's title, once. It starts with the first answer and uses a provider program of
 * its own, so that no request of the conversation waits for it. If it fails, the title stays the first line of the
 * task. Not used without a small model.
 */
export class TitleWriter {
  readonly #services: Services;
  readonly #session: Session;
  readonly #providers: ProviderPool;
  readonly #ended = new AbortController();
  #begun = false;

  constructor(services: Services, session: Session) {
    this.#services = services;
    this.#session = session;
    this.#providers = new ProviderPool(services.sandboxes, session.id);
  }

  /** Called at every answer of the model; leads to one request per session. */
  begin(): void {
    const { snapshot } = this.#session;
    const { usable: writer } = smallModelOf(snapshot.options);
    if (this.#begun || snapshot.titled || writer === null || modelInUse(this.#session).replay !== undefined) return;
    this.#begun = true;
    this.#write(writer)
      .catch(() => undefined)
      .finally(() => this.#providers.close());
  }

  /** Called at the end of the run: a title that has not arrived is dropped. */
  close(): void {
    this.#ended.abort(new Error('the run is over'));
    this.#providers.close();
  }

  async #write(writer: SmallModel): Promise<void> {
    const [services, session] = [this.#services, this.#session];
    const { signal } = this.#ended;
    const task = firstTask(session);
    if (task === '' || (await whyNotAsked(services, session, writer.model)) !== null) return;
    const reply = new Reply();
    const take = (event: ModelEvent): void => {
      if (signal.aborted) return;
      reply.take(event);
      if (event.type !== 'usage') return;
      countUsage(session, { model: writer.model, price: writer.price, purpose: 'title' }, event.usage);
    };
    const request = {
      model: wireName(writer.model),
      system: TITLE_PROMPT,
      messages: [{ role: 'user' as const, text: task }],
      tools: [],
      max_output_tokens: MAX_OUTPUT_TOKENS,
      deadline_ms: DEADLINE_MS,
    };
    signal.throwIfAborted();
    await askProvider({ services, session }, this.#providers, { model: writer.model, request, take, signal });
    const title = reply.failure === null && reply.stop === 'end' ? titleIn(reply.text) : '';
    if (title === '' || signal.aborted || session.snapshot.titled) return;
    session.update({ titled: true });
    session.updateRow({ title });
    session.save();
  }
}

function firstTask(session: Session): string {
  const said = session.messages.find((message) => message.role === 'user' && message.author !== 'kernel');
  return said?.role === 'user' ? said.text.slice(0, MAX_TASK_CHARACTERS) : '';
}

/** One line without control characters, and without the quotes and the full stop that models add. */
function titleIn(text: string): string {
  const line = firstText(text.trim().split('\n'));
  const plain = line.replace(/[\p{Cc}\p{Cf}]/gu, '').replace(/\s+/g, ' ');
  const bare = plain.replace(/^(?:title:|[#*"'`“„«\s])+|["'`”“»*.\s]+$/giu, '');
  return cutTitle(bare);
}
