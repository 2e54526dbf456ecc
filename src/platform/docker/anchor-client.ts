import { anchorPositionSchema, followAnswerSchema } from '../../contracts/sandbox/guard-api.ts';
import type { AnchorPosition, AnchorRequest } from '../../contracts/sandbox/guard-api.ts';
import { askGuard } from './ask-guard.ts';

const LIMITS = { timeoutMs: 10_000, maxAnswerBytes: 64 * 1024 };
const PAGE_RECORDS = 500;
const PAGE_CHARACTERS = 512 * 1024;

/** At most `limit` rows of the audit log, in order, starting at an id. */
export type ReadRecords = (fromId: number, limit: number) => readonly { readonly body: string | null }[];

/** The host does not follow this log: it differs from the signed log, is shorter, or is damaged. */
export class LogNotFollowed extends Error {
  override name = 'LogNotFollowed';
}

/**
 * The kernel's side of the host's signatures: shows the host every record up to a head, then has the head signed. Calls
 * run one at a time, because the host takes records in order.
 */
export class AnchorClient {
  readonly #socketPath: string;
  readonly #read: ReadRecords;
  #last: Promise<unknown> = Promise.resolve();

  constructor(socketPath: string, read: ReadRecords) {
    this.#socketPath = socketPath;
    this.#read = read;
  }

  /** Rejects with `LogNotFollowed`, or with another error if the host gives no answer. */
  anchor(head: AnchorRequest): Promise<void> {
    return this.#next(async () => {
      await this.#show(head.entries);
      const question = { path: '/fluffy/anchor', body: head, ...LIMITS };
      const { status, text } = await askGuard(this.#socketPath, question);
      if (status < 300 && !text.includes('"refused"')) return;
      const why = `the host did not sign the head of the audit log: ${text.slice(0, 2000)}`;
      throw status < 300 ? new LogNotFollowed(why) : new Error(why);
    });
  }

  /** Lets the host follow the log up to a record, for things that it signs in other ways. Rejects like `anchor`. */
  show(entries: number): Promise<void> {
    return this.#next(() => this.#show(entries));
  }

  async #show(entries: number): Promise<void> {
    let { entries: followed } = await this.#position();
    if (followed > entries)
      throw new LogNotFollowed(`the host knows ${followed} records of the audit log, and only ${entries} are there`);
    while (followed < entries) {
      const records = pageOf(this.#read(followed + 1, Math.min(PAGE_RECORDS, entries - followed)));
      if (records.length === 0) throw new LogNotFollowed(`record ${followed + 1} of the audit log cannot be read`);
      const question = { path: '/fluffy/anchor-records', body: { after: followed, records }, ...LIMITS };
      const answer = followAnswerSchema.parse(await this.#ask(question));
      if (answer.kind === 'refused')
        throw new LogNotFollowed(`the host does not follow the audit log: ${answer.reason}`);
      followed = answer.entries;
    }
  }

  async #position(): Promise<AnchorPosition> {
    return anchorPositionSchema.parse(await this.#ask({ path: '/fluffy/anchor', ...LIMITS }));
  }

  async #ask(question: Parameters<typeof askGuard>[1]): Promise<unknown> {
    const { status, text } = await askGuard(this.#socketPath, question);
    if (status !== 200) throw new Error(`the host did not read the audit log: ${text.slice(0, 2000)}`);
    return JSON.parse(text);
  }

  #next<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#last.then(action);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

function pageOf(rows: ReturnType<ReadRecords>): readonly string[] {
  const page: string[] = [];
  let characters = 0;
  for (const { body } of rows) {
    if (body === null || (page.length > 0 && characters + body.length > PAGE_CHARACTERS)) break;
    page.push(body);
    characters += body.length;
  }
  return page;
}
