/** One of the things that are timed against each other. */
export interface Side {
  readonly name: string;
  /** Runs it once. May return its time in milliseconds; otherwise the time until it returns is measured. */
  readonly once: () => Promise<number | void> | number | void;
}

export interface Rounds {
  /** Not counted. */
  readonly warmUp: number;
  /** Counted, if the time allows. */
  readonly atMost: number;
  /** Counted, however long they take. */
  readonly atLeast: number;
  /** After this no further round is begun. */
  readonly budgetMs: number;
}

export interface Timed {
  readonly name: string;
  /** Milliseconds, in the order they were measured. */
  readonly samples: readonly number[];
}

/**
 * Times every side once per round, so that other load on the machine affects all of them equally. Every other round runs in the opposite order, so that no side
 * always follows the same one.
 */
export async function interleave(
  sides: readonly Side[],
  rounds: Rounds,
  nowMs: () => number = () => performance.now(),
): Promise<Timed[]> {
  const samples = new Map<Side, number[]>(sides.map((side) => [side, []]));
  const round = async (index: number, counted: boolean): Promise<void> => {
    for (const side of index % 2 === 0 ? sides : sides.toReversed()) {
      const startedMs = nowMs();
      const reported = await side.once();
      const tookMs = reported ?? nowMs() - startedMs;
      if (counted) samples.get(side)?.push(tookMs);
    }
  };
  for (let index = 0; index < rounds.warmUp; index += 1) await round(index, false);
  const endMs = nowMs() + rounds.budgetMs;
  for (let index = 0; index < rounds.atMost && (index < rounds.atLeast || nowMs() < endMs); index += 1) {
    await round(index, true);
  }
  return sides.map((side) => ({ name: side.name, samples: samples.get(side) ?? [] }));
}
