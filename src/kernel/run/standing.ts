import type { Session } from '../session/session.ts';
import type { Services } from '../services.ts';
import type { RunContext } from './run-context.ts';

/** The progress of the work. A message that does not change it made no progress. */
export interface Standing {
  readonly whole: string;
  /** Digest of the staged changes. */
  readonly staging: string;
}

/** Says how far the work is. Staged files are hashed again only after a message that may have changed them. */
export class StandingWatch {
  #staging: string | null = null;

  async afterMessage({ services, session, workspace }: RunContext): Promise<Standing> {
    if (this.#staging === null || !hasOnlyRead(services, session)) this.#staging = await workspace.stagingDigest();
    const { plan, kind, commit_message } = session.snapshot;
    return {
      whole: JSON.stringify([session.state, plan, kind, commit_message, this.#staging]),
      staging: this.#staging,
    };
  }
}

/** Whether the calls of the last message are all of tools that read. */
function hasOnlyRead({ tools }: Pick<Services, 'tools'>, { messages }: Session): boolean {
  const last = messages.findLast(({ role }) => role === 'assistant');
  const calls = last?.role === 'assistant' ? last.calls : [];
  return calls.every(({ tool }) => (tools().find(tool)?.effect ?? 'read') === 'read');
}
