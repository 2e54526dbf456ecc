import type { SandboxId } from '../../contracts/ids.ts';
import type { SandboxServices } from './sandbox-services.ts';

const LOOK_EVERY_MS = 1_000;
const MAX_BYTES = 32;
/** Code under test can also write the file, so nothing but two numbers is accepted. */
const COUNTS = /^(\d{1,7}) (\d{1,7})\n$/;

type Counts = readonly [done: number, other: number];

/** A file in the out directory of a sandbox in which its program keeps two counts. */
export interface CountFile {
  readonly name: string;
  /** Called while the program runs, when they have changed. */
  readonly onCounts: (done: number, other: number) => void;
}

/** Reports the counts of a running program until `over` is aborted. */
export async function watchCounts(
  { clock, directories }: Pick<SandboxServices, 'clock' | 'directories'>,
  sandbox: SandboxId,
  { name, onCounts }: CountFile,
  over: AbortSignal,
): Promise<void> {
  let shown: Counts = [0, 0];
  while (!over.aborted) {
    await clock.sleep(LOOK_EVERY_MS, over).catch(() => undefined);
    const read = over.aborted ? null : await directories.readReport(sandbox, name, MAX_BYTES).catch(() => null);
    const counts = read?.kind === 'read' ? readCounts(read.bytes.toString('latin1')) : null;
    if (counts === null || over.aborted || (counts[0] === shown[0] && counts[1] === shown[1])) continue;
    shown = counts;
    onCounts(...counts);
  }
}

function readCounts(text: string): Counts | null {
  const [, done, other] = COUNTS.exec(text) ?? [];
  return done === undefined || other === undefined ? null : [Number(done), Number(other)];
}
