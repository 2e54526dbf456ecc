import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionId } from '../../contracts/ids.ts';
import type { Random } from '../../contracts/ports/random.ts';
import type { Workspace } from '../../contracts/ports/workspace.ts';
import type { Workspaces } from '../services.ts';

type OpenWorkspace = Workspace & { close(): Promise<void> };

export interface WorkspacesOptions {
  readonly open: (session: SessionId) => Promise<OpenWorkspace>;
  readonly stateDir: string;
  readonly random: Random;
}

/** One workspace per session, opened once. Scratch workspaces live until they are closed and leave nothing. */
export class SessionWorkspaces implements Workspaces {
  readonly #options: WorkspacesOptions;
  readonly #open = new Map<SessionId, Promise<OpenWorkspace>>();

  constructor(options: WorkspacesOptions) {
    this.#options = options;
  }

  open(session: SessionId): Promise<Workspace> {
    const known = this.#open.get(session);
    if (known !== undefined) return known;
    const opening = this.#options.open(session);
    this.#open.set(session, opening);
    opening.catch(() => this.#open.delete(session));
    return opening;
  }

  async remove(session: SessionId): Promise<void> {
    const workspace = await (this.#open.get(session) ?? this.#options.open(session));
    this.#open.delete(session);
    await this.#discard(session, workspace);
  }

  async scratch(): ReturnType<Workspaces['scratch']> {
    const id = this.#options.random.id('s', 20) as SessionId;
    const workspace = await this.#options.open(id);
    return {
      id,
      workspace,
      close: () => this.#discard(id, workspace),
    };
  }

  async #discard(id: SessionId, workspace: OpenWorkspace): Promise<void> {
    await workspace.reset();
    await workspace.close();
    for (const name of [id, `${id}.base`]) {
      await rm(join(this.#options.stateDir, 'staging', name), { recursive: true, force: true });
    }
  }

  async closeAll(): Promise<void> {
    for (const opening of this.#open.values()) await (await opening).close();
    this.#open.clear();
  }
}
