import type { PackageOperation, PackageOutcome } from '../../contracts/ports/sandboxes.ts';
import {
  PACKAGE_COUNT_FILE,
  PACKAGE_REPORT_FILE,
  packageReportSchema,
} from '../../contracts/sandbox/package-managers.ts';
import type { PackageReport } from '../../contracts/sandbox/package-managers.ts';
import { describeFailure } from './run-tool.ts';
import type { Sandbox } from './sandbox.ts';
import type { SandboxServices } from './sandbox-services.ts';
import type { WatchOptions } from './watch-operation.ts';
import { OperationWatch, failureOf } from './watch-operation.ts';
import { watchCounts } from './watch-counts.ts';
import { parseJson } from '../../lib/parse-json.ts';

const MAX_REPORT_BYTES = 64 * 1024 * 1024;
/** Limits of archives and installed packages together. */
const OUT_BOUNDS = { maxBytes: 3 * 1024 ** 3, maxEntries: 400_000 } satisfies WatchOptions['outBounds'];
const OUTPUT_BOUNDS = { headBytes: 4 * 1024, tailBytes: 16 * 1024 };

/**
 * Waits for a running package manager and reads its report. The connections are known before the report is judged.
 * Installed packages are kept only after that, and only if the container has ended.
 */
export async function runPackages<Judged>(
  services: SandboxServices,
  sandbox: Sandbox,
  operation: PackageOperation<Judged>,
  watching: (watch: OperationWatch) => void,
): Promise<PackageOutcome<Judged>> {
  const watch = new OperationWatch(services, sandbox, {
    deadlineMs: operation.deadlineMs,
    signal: operation.signal,
    outBounds: OUT_BOUNDS,
  });
  watching(watch);
  const over = new AbortController();
  if (operation.onFetched !== undefined)
    void watchCounts(services, sandbox.id, { name: PACKAGE_COUNT_FILE, onCounts: operation.onFetched }, over.signal);
  const interruption = await Promise.race([sandbox.ended.then(() => null), watch.interrupted]);
  watch.stop();
  over.abort();
  if (interruption !== null) await sandbox.kill();
  operation.onAttempts(await services.runtime.egress(sandbox.id));
  if (interruption !== null) {
    const failure = failureOf(interruption, operation.deadlineMs);
    sandbox.fail(describeFailure(failure));
    return failure;
  }
  const verdict = operation.judge(await readReport(services, sandbox));
  if (verdict.kind === 'drop') return { kind: 'dropped', sandbox: sandbox.id, why: verdict.why };
  const kept = await services.keepLayer?.(sandbox.id, verdict.layer);
  if (kept?.kind === 'kept') return { kind: 'kept', sandbox: sandbox.id, judged: verdict.judged };
  return {
    kind: 'dropped',
    sandbox: sandbox.id,
    why: `What was installed was refused: ${kept?.reason ?? 'no place'}.`,
  };
}

async function readReport(services: SandboxServices, sandbox: Sandbox): Promise<PackageReport> {
  const read = await services.directories.readReport(sandbox.id, PACKAGE_REPORT_FILE, MAX_REPORT_BYTES);
  if (read.kind === 'read' && !read.truncated) {
    const parsed = packageReportSchema.safeParse(parseJson(read.bytes.toString('utf8')));
    if (parsed.success) return parsed.data;
  }
  const { text } = await sandbox.output(OUTPUT_BOUNDS);
  return { kind: 'failed', failure: 'other', message: `the package manager left no report. ${text.slice(-2_000)}` };
}
