import type { ServiceSockets } from '../../contracts/ports/host-services.ts';
import type { EgressAttempt } from '../../contracts/sandbox/package-managers.ts';
import type { Program } from '../../contracts/sandbox/sandbox-programs.ts';
import type { ResourceLimits } from '../../contracts/sandbox/sandbox-templates.ts';
import { createReleaseStack, type ReleaseStack } from './release-stack.ts';

/** A container that this guard has created or is creating. */
export interface KeptContainer {
  /** The engine's id; null while it is being created. */
  id: string | null;
  readonly program: Program;
  readonly session: string;
  readonly limits: ResourceLimits;
  readonly releases: ReleaseStack;
  /** null if it has none. */
  sockets: ServiceSockets | null;
}

/** The containers of this guard by sandbox id, with everything that must stay open for as long as the engine knows them. */
export interface KeptContainers {
  has(sandbox: string): boolean;
  hasId(id: string): boolean;
  attempts(sandbox: string): readonly EgressAttempt[];
  limits(): ResourceLimits[];
  find(sandbox: string): KeptContainer | undefined;
  add(sandbox: string, made: Pick<KeptContainer, 'program' | 'session' | 'limits'>): KeptContainer;
  drop(sandbox: string): Promise<void>;
  dropById(id: string): Promise<void>;
  dropAll(): Promise<void>;
}

export function createKeptContainers(): KeptContainers {
  const kept = new Map<string, KeptContainer>();

  const drop = async (sandbox: string): Promise<void> => {
    const entry = kept.get(sandbox);
    kept.delete(sandbox);
    await entry?.releases.release();
  };

  return {
    has: (sandbox) => kept.has(sandbox),
    hasId: (id) => [...kept.values()].some((entry) => entry.id === id),
    attempts: (sandbox) => kept.get(sandbox)?.sockets?.attempts() ?? [],
    limits: () => [...kept.values()].map((entry) => entry.limits),
    find: (sandbox) => kept.get(sandbox),
    add(sandbox, made) {
      const entry: KeptContainer = { ...made, id: null, releases: createReleaseStack(), sockets: null };
      kept.set(sandbox, entry);
      return entry;
    },
    drop,
    async dropById(id) {
      for (const [sandbox, entry] of [...kept]) if (entry.id === id) await drop(sandbox);
    },
    async dropAll() {
      for (const sandbox of [...kept.keys()]) await drop(sandbox);
    },
  };
}
