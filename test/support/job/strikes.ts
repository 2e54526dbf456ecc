import { seededRandom } from '../../seeded-random.ts';
import { containersOf, docker, supervisorsOf } from './engine-objects.ts';

/** `all`: as when the machine loses its power. */
export const VICTIMS = ['kernel', 'sandbox', 'cli', 'supervisor', 'all'] as const;
export type Victim = (typeof VICTIMS)[number];

export interface Strike {
  readonly victim: Victim;
  /** The number of events of the run between the strike before (or the start) and this one. */
  readonly after: number;
  readonly delayMs: number;
}

export interface Round {
  /** Says how to play it again. */
  readonly name: string;
  readonly strikes: readonly Strike[];
}

/** About the number of events of a strict run. */
const EVENTS = 36;
const MAX_DELAY_MS = 400;

/** In each half of a run those whose loss matters there: before the source is written, and in green, review and merge. */
const SAMPLE: readonly (readonly Victim[])[] = [
  ['kernel', 'sandbox', 'supervisor'],
  ['kernel', 'cli', 'all'],
];

/** One strike a round, at seeded moments of both halves. */
export function sampleRounds(seed: number): Round[] {
  const next = seededRandom(seed);
  return SAMPLE.flatMap((victims, half) =>
    victims.map((victim) =>
      round([{ victim, after: 2 + Math.floor(((half + next()) * (EVENTS - 2)) / 2), delayMs: 0 }]),
    ),
  );
}

/** Rounds that together strike so often. Each follows from seed and number alone, so it can be played again by itself. */
export function soakRounds(seed: number, strikes: number, first = 1): Round[] {
  const rounds: Round[] = [];
  for (let struck = 0, number = first; struck < strikes; number += 1) {
    const made = soakRound(seed, number);
    rounds.push({ ...made, name: `FLUFFY_SEED=${seed} round ${number}: ${made.name}` });
    struck += made.strikes.length;
  }
  return rounds;
}

/** Two or three strikes: a kernel is started again three times in five minutes. */
function soakRound(seed: number, number: number): Round {
  const next = seededRandom(seed * 1000 + number);
  const count = 2 + Math.floor(next() * 2);
  return round(
    Array.from({ length: count }, () => ({
      victim: VICTIMS[Math.floor(next() * VICTIMS.length)] ?? 'cli',
      after: 1 + Math.floor(next() * (EVENTS / count)),
      delayMs: Math.floor(next() * MAX_DELAY_MS),
    })),
  );
}

export function round(strikes: readonly Strike[]): Round {
  const name = strikes.map(({ victim, after, delayMs }) => `${victim} +${after} events +${delayMs} ms`).join(', ');
  return { name, strikes };
}

/** `kill -9` of what is there at this moment. */
export function strike(victim: Victim, root: string, killCli: () => void): void {
  switch (victim) {
    case 'cli':
      killCli();
      return;
    case 'supervisor':
      killSupervisors(root);
      return;
    case 'kernel':
      killContainers(containersOf(root, 'kernel'));
      return;
    case 'sandbox': {
      const kernels = containersOf(root, 'kernel');
      killContainers(containersOf(root).filter((id) => !kernels.includes(id)));
      return;
    }
    case 'all':
      killCli();
      killSupervisors(root);
      killContainers(containersOf(root));
  }
}

export function killSupervisors(root: string): void {
  for (const pid of supervisorsOf(root)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It had ended by itself.
    }
  }
}

function killContainers(ids: readonly string[]): void {
  for (const id of ids) {
    try {
      docker('kill', id);
    } catch {
      // It was gone already: nothing to kill at that moment.
    }
  }
}
