import { closeSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import type { Random } from '../../contracts/ports/random.ts';
import type { LayerId } from '../../contracts/sandbox/package-managers.ts';
import { pinRoot } from './descriptors.ts';
import { removeEntries, removeTree } from './remove-tree.ts';
import { makeDirectory } from './make-directory.ts';

const DEAD = 'dead';

/** Directories for one overlay operation; the guard mounts them by the slot's number. */
export interface Slot {
  readonly number: number;
  /** Pinned upper directory: empty at the start, later the sandbox's changes. */
  readonly upper: number;
  /**
   * Path for a master whiteout that others link to: on the file system of the upper directory, and outside every layer.
   */
  readonly whiteout: string;
  /** Sets the installed packages that its overlay shows; none by default. */
  show(layers: readonly LayerId[]): void;
  /** Empties the slot and returns it to the pool. It must not be mounted any more. */
  release(): void;
}

export interface SlotPool {
  /** A free, empty slot; waits if all are in use. */
  lease(): Promise<Slot>;
  /** Installed packages that the overlay of a slot in use shows. */
  layersOf(slot: number): readonly LayerId[];
}

/**
 * Slots `slots/<n>/{upper,work}` under the state directory, created as needed and reused: the overlay driver leaves a
 * root-owned entry in the work directory that only the next mount clears.
 */
export function createSlotPool(options: {
  readonly stateDir: string;
  readonly size: number;
  readonly random: Random;
}): SlotPool {
  const { stateDir, size, random } = options;
  const free = Array.from({ length: size }, (_, number) => size - 1 - number);
  const waiting: (() => void)[] = [];
  const shown = new Map<number, readonly LayerId[]>();

  return {
    layersOf: (slot) => shown.get(slot) ?? [],
    lease: async () => {
      while (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      const number = free.pop() ?? 0;
      const upper = openEmptyUpper(`${stateDir}/slots/${number}`, random);
      let lent = true;
      return {
        number,
        upper,
        whiteout: `${stateDir}/slots/${number}/whiteout`,
        show: (layers) => void shown.set(number, layers),
        release: () => {
          if (!lent) return;
          lent = false;
          shown.delete(number);
          removeEntries(upper);
          closeSync(upper);
          free.push(number);
          waiting.shift()?.();
        },
      };
    },
  };
}

/** Pins a slot's upper directory without emptying it: entries that a journal still has to move are there. */
export function pinUpper(stateDir: string, slot: number): number {
  makeDirectory(`${stateDir}/slots/${slot}/upper`);
  return pinRoot(`${stateDir}/slots/${slot}/upper`);
}

function openEmptyUpper(slot: string, random: Random): number {
  for (const part of ['work', 'upper']) makeDirectory(`${slot}/${part}`);
  clearDead(slot);
  const upper = pinRoot(`${slot}/upper`);
  if (removeEntries(upper)) return upper;
  // An entry of another owner is stuck in it. It can't be removed, but the whole directory can be renamed.
  closeSync(upper);
  renameSync(`${slot}/upper`, `${slot}/${random.id(DEAD)}`);
  mkdirSync(`${slot}/upper`, { mode: 0o700 });
  return pinRoot(`${slot}/upper`);
}

/** Tries again to remove directories that were set aside: the owner of their entries may have changed. */
function clearDead(slot: string): void {
  const directory = pinRoot(slot);
  for (const name of readdirSync(slot)) if (name.startsWith(`${DEAD}_`)) removeTree(directory, name);
  closeSync(directory);
}
