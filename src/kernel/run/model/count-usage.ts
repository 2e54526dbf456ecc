import type { EventBody } from '../../../contracts/session/events.ts';
import type { Usage } from '../../../contracts/model/model.ts';
import type { ModelPrice } from '../../../contracts/model/model-facts.ts';
import type { Spending } from '../../../contracts/session/session-snapshot.ts';
import type { Session } from '../../session/session.ts';
import { costOf } from '../limits.ts';

/** The model of a request and its purpose. */
export interface Spender {
  readonly model: string;
  readonly purpose: Spending['purpose'];
  readonly price: ModelPrice | undefined;
}

/** How much of the model's window is used. */
type ContextUse = NonNullable<Extract<EventBody, { type: 'usage' }>['context']>;

/**
 * Adds the use of a request for a summary or a title to the totals of the run and the session. On disk before it is
 * shown.
 */
export function countUsage(session: Session, spender: Spender, usage: Usage): void {
  session.emit({ type: 'usage', ...usage, ...costIn(addUsage(session, spender, usage)) });
}

/** The same for a request of the conversation. It is shown at once and written with the answer that follows. */
export function countAnswer(
  session: Session,
  spender: Pick<Spender, 'model' | 'price'>,
  usage: Usage,
  context: ContextUse,
): void {
  const cost = addUsage(session, { ...spender, purpose: 'work' }, usage);
  session.stream({ type: 'usage', ...usage, ...costIn(cost), context });
}

function costIn(cost: number | null): { readonly cost_usd?: number } {
  return cost === null ? {} : { cost_usd: cost };
}

/** Returns the cost in USD; null without a price. */
function addUsage(session: Session, spender: Spender, usage: Usage): number | null {
  const { snapshot } = session;
  const cost = spender.price === undefined ? null : costOf(usage, spender.price);
  const written = usage.cache_write_tokens ?? 0;
  session.update({
    usage: {
      input_tokens: snapshot.usage.input_tokens + usage.input_tokens,
      output_tokens: snapshot.usage.output_tokens + usage.output_tokens,
      cache_read_tokens: snapshot.usage.cache_read_tokens + usage.cache_read_tokens,
      cache_write_tokens: (snapshot.usage.cache_write_tokens ?? 0) + written,
    },
    cost_usd: snapshot.cost_usd + (cost ?? 0),
    spending: addSpending(snapshot.spending, spender, { ...usage, cache_write_tokens: written }, cost),
  });
  return cost;
}

function addSpending(
  all: readonly Spending[],
  { model, purpose }: Spender,
  usage: Required<Usage>,
  cost: number | null,
): Spending[] {
  const isSame = (one: Spending): boolean => one.model === model && one.purpose === purpose;
  const before = all.find(isSame);
  const after: Spending = {
    model,
    purpose,
    requests: (before?.requests ?? 0) + 1,
    input_tokens: (before?.input_tokens ?? 0) + usage.input_tokens,
    output_tokens: (before?.output_tokens ?? 0) + usage.output_tokens,
    cache_read_tokens: (before?.cache_read_tokens ?? 0) + usage.cache_read_tokens,
    cache_write_tokens: (before?.cache_write_tokens ?? 0) + usage.cache_write_tokens,
    cost_usd: cost === null || before?.cost_usd === null ? null : (before?.cost_usd ?? 0) + cost,
  };
  return [...all.filter((one) => !isSame(one)), after];
}
