import type { CaseCounts, TestProgress } from '../../contracts/ports/sandboxes.ts';
import type { SandboxId } from '../../contracts/ids.ts';
import type { SandboxServices } from './sandbox-services.ts';

const LOOK_EVERY_MS = 1_000;
const MAX_BYTES = 32;
/** Code under test can also write the file, so nothing but two numbers is accepted. */
const COUNTS = /^(\d{1,7}) (\d{1,7})\n$/;

/** Reports the counts of a test run until `over` is aborted. */
export async function watchCounts(
  { clock, directories }: Pick<SandboxServices, 'clock' | 'directories'>,
  sandbox: SandboxId,
  { name, onCounts }: TestProgress,
  over: AbortSignal,
): Promise<void> {
  let shown: CaseCounts = { done: 0, failed: 0 };
  while (!over.aborted) {
    await clock.sleep(LOOK_EVERY_MS, over).catch(() => undefined);
    const read = over.aborted ? null : await directories.readReport(sandbox, name, MAX_BYTES).catch(() => null);
    const counts = read?.kind === 'read' ? readCounts(read.bytes.toString('latin1')) : null;
    if (counts === null || over.aborted || (counts.done === shown.done && counts.failed === shown.failed)) continue;
    shown = counts;
    onCounts(counts);
  }
}

function readCounts(text: string): CaseCounts | null {
  const [, done, failed] = COUNTS.exec(text) ?? [];
  return done === undefined || failed === undefined ? null : { done: Number(done), failed: Number(failed) };
}
