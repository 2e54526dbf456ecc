import type {
  AnchorPosition,
  AnchorRecords,
  AnchorRequest,
  FollowAnswer,
} from '../../../contracts/sandbox/guard-api.ts';
import type { ProjectDirs, UserDirs } from '../../../contracts/host-layout.ts';
import type { Sha256 } from '../../../contracts/ids.ts';
import type { FollowedLog } from '../../../contracts/ports/host-services.ts';
import { anchorKey, signedThrough } from '../../../host/signer/index.ts';
import type { AnchorResult } from '../../../host/signer/index.ts';
import { AUDIT_CHAIN, verifyNext } from '../../../kernel/audit/verify-chain.ts';
import type { ChainPosition } from '../../../kernel/audit/verify-chain.ts';
import { linkHash } from '../../../lib/hash-chain.ts';

/**
 * The audit chain as the host has read it, record by record, from the last head that it signed. L1 cannot have a number or a hash signed that no
 * records lead to, nor another log than the signed one.
 */
export class HostChain implements FollowedLog {
  readonly #user: UserDirs;
  readonly #dirs: ProjectDirs;
  #position: Promise<ChainPosition> | null = null;

  constructor(user: UserDirs, dirs: ProjectDirs) {
    this.#user = user;
    this.#dirs = dirs;
  }

  async position(): Promise<AnchorPosition> {
    const { entries, hash } = await this.#current();
    return { entries, head: hash as Sha256 | null };
  }

  async follow({ after, records }: AnchorRecords): Promise<FollowAnswer> {
    const from = await this.#current();
    if (after !== from.entries)
      return { kind: 'refused', reason: `the host has followed ${from.entries} records, not ${after}` };
    let position = from;
    for (const body of records) {
      const hash = linkHash(position.hash ?? statedPrevious(body), body);
      const step = verifyNext(AUDIT_CHAIN, position, { id: position.entries + 1, body, hash });
      if (step.kind === 'bad') return { kind: 'refused', reason: `record ${step.fault.id}: ${step.fault.reason}` };
      position = step.position;
    }
    this.#position = Promise.resolve(position);
    return { kind: 'followed', entries: position.entries };
  }

  #current(): Promise<ChainPosition> {
    this.#position ??= this.#signed();
    this.#position.catch(() => (this.#position = null));
    return this.#position;
  }

  async #signed(): Promise<ChainPosition> {
    const key = await anchorKey(this.#user);
    const { entries, head } = await signedThrough(this.#dirs, key.publicKey);
    return { entries, hash: head };
  }
}

/** Signs the newest head that the host has followed, if it is the requested one or confirms it. */
export function anchorFollowed(
  log: FollowedLog,
  anchor: (request: AnchorRequest) => Promise<AnchorResult>,
): (request: AnchorRequest) => Promise<AnchorResult> {
  return async (request) => {
    const { entries, head } = await log.position();
    if (request.entries > entries || head === null)
      return { kind: 'refused', reason: `the host has followed ${entries} records, not ${request.entries}` };
    if (request.entries === entries && request.head !== head)
      return { kind: 'refused', reason: `record ${entries} is another than the one that the host has followed` };
    // A shorter head comes from a log that has grown meanwhile, or that has lost records: `anchor` knows what was signed.
    return await anchor(request.entries === entries ? request : { entries, head });
  };
}

/** The first record names its predecessor's hash itself; `verifyNext` checks it. */
function statedPrevious(body: string): string {
  try {
    const record: unknown = JSON.parse(body);
    const stated = typeof record === 'object' && record !== null && 'prev_hash' in record ? record.prev_hash : null;
    return typeof stated === 'string' ? stated : '';
  } catch {
    return '';
  }
}
