/** Why a run is tampered where a noted case is in no report. */
export const LOST_CASE = 'a test that is skipped, planned or expected to fail is not in the report of its file';

/** What the last test of a file says, as JSON after the nonce. */
export interface RuntimeVerdict {
  /** Outcome of the canaries. */
  readonly canaries: string;
  /** Full names of cases that are no pass, though they may be reported as one. */
  readonly noted: readonly string[];
}

/** The verdict in the message with which the last test fails; null where it has none. */
export function verdictIn<T extends RuntimeVerdict>(message: string, nonce: string): T | null {
  const at = message.indexOf(`${nonce}{`);
  if (at === -1) return null;
  const text = message.slice(at + nonce.length).split('\n', 1)[0] ?? '';
  return JSON.parse(text) as T;
}

/**
 * The cases of a report that are noted. A noted test that is not reported by itself stands for the one that it is in. `isComplete` is false where one is in none
 * of them: what it is reported as is not known.
 */
export function notedCases(
  noted: readonly string[],
  reported: readonly string[],
): { readonly isNoted: (name: string) => boolean; readonly isComplete: boolean } {
  const all = new Set(reported.map(comparable));
  const found = noted.map((each) => reportedFor(comparable(each), all));
  return { isNoted: (name) => found.includes(comparable(name)), isComplete: !found.includes(null) };
}

function reportedFor(noted: string, reported: ReadonlySet<string>): string | null {
  const around = [...reported].filter((each) => noted === each || noted.startsWith(`${each}>`));
  return around.sort((one, other) => other.length - one.length)[0] ?? null;
}

/** Without what runtimes escape or leave out in the names of a report. */
function comparable(name: string): string {
  return name.replace(/\\[a-z0-9]|[^\p{L}\p{N}\p{P}\p{S}]/giu, '');
}
