import { oneLine } from '../../../lib/text/one-line.ts';
import type { ViewEntry } from '../../../contracts/ports/workspace.ts';
import type { PlainCheck } from '../../runners/plain-command.ts';
import { requireRunner } from '../../runners/registry.ts';
import type { TestPart } from '../../runners/command-parts.ts';
import type { SessionContext } from '../../services.ts';
import { runPlain } from '../plain/plain-run.ts';

/** What the project's own checks say of a change. */
export type ChecksObserved =
  | { readonly kind: 'none' }
  | { readonly kind: 'held'; readonly detail: string }
  /** `failure`: for the model. */
  | { readonly kind: 'failed'; readonly detail: string; readonly failure: string };

/** A part of the test command, with the text of the package.json in its directory; '' without one. */
export interface Package {
  readonly part: TestPart;
  readonly manifest: string;
}

interface Views {
  readonly committed: readonly ViewEntry[];
  readonly onHead: readonly ViewEntry[];
}

type Checked =
  | { readonly kind: 'passed' | 'failed-before'; readonly words: string }
  | { readonly kind: 'failed' | 'not-run'; readonly words: string; readonly why: string };

const MAX_CHECKS = 6;
const MAX_WHY = 300;

/**
 * Runs the lint, type and format checks of the packages that a change touches, side by side, on exactly the tree to be committed. One that fails on HEAD too
 * says nothing of the change.
 */
export async function observeChecks(
  context: SessionContext,
  packages: readonly Package[],
  views: Views,
): Promise<ChecksObserved> {
  const projectRoot = context.services.options.project_root;
  const all = packages.flatMap(({ part, manifest }) =>
    (requireRunner(part.runner).checks?.(part, { projectRoot, manifest }) ?? []).map((check) => ({ part, check })),
  );
  if (all.length === 0) return { kind: 'none' };
  const checked = await Promise.all(
    all.slice(0, MAX_CHECKS).map(({ part, check }) => checkOne(context, part, check, views)),
  );
  context.signal.throwIfAborted();
  return together(checked);
}

async function checkOne(context: SessionContext, part: TestPart, check: PlainCheck, views: Views): Promise<Checked> {
  const { words } = check;
  const result = await runPlain(context, check, part, views.committed);
  if (result.kind === 'passed') return { kind: 'passed', words };
  if (result.kind === 'not-run') return { kind: 'not-run', words, why: result.why };
  const onHead = await runPlain(context, check, part, views.onHead);
  if (onHead.kind === 'not-run') return { kind: 'not-run', words, why: onHead.why };
  return onHead.kind === 'failed' ? { kind: 'failed-before', words } : { kind: 'failed', words, why: result.why };
}

function together(checked: readonly Checked[]): ChecksObserved {
  const failed = checked.flatMap((each) => (each.kind === 'failed' ? [each] : []));
  if (failed.length > 0) {
    const said = failed.map(({ words, why }) => `${words}: ${why}`).join('\n');
    return {
      kind: 'failed',
      detail: failed.map(({ words, why }) => `${words} fails with this change: ${oneLine(why, MAX_WHY)}`).join('; '),
      failure: `The project's own checks pass on HEAD and fail on exactly what would be committed. ${said}\nCorrect the files of this change that they name.`,
    };
  }
  const listed = checked.map((each) => {
    switch (each.kind) {
      case 'passed':
        return `${each.words} passes`;
      case 'failed-before':
        return `${each.words} does not pass on HEAD either`;
      case 'not-run':
      case 'failed':
        return `${each.words} was not run: ${oneLine(each.why, MAX_WHY)}`;
    }
  });
  return { kind: 'held', detail: listed.join(', ') };
}
