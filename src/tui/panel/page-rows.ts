import type { CodeColours } from '../code/code-colours.ts';
import { plainPiece } from '../code/code-colours.ts';
import { assertNever } from '../../lib/assert-never.ts';
import { fileRows } from '../diff/diff-rows.ts';
import { overviewRows } from '../review/card-rows.ts';
import { formatDuration } from '../store/format-amount.ts';
import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';
import type { Raw, Row } from '../text/span.ts';
import { spellOut } from '../text/spell-out.ts';
import type { CallDetails, FinishedCall, Page } from './panel.ts';

export interface PageLook {
  readonly width: number;
  readonly colours: CodeColours;
}

const EDGE: Row = [own('│ ', 'dim')];

/** A page as rows, each with an edge, so that no foreign text can look like a line of the panel. Pure. */
export function pageRows(page: Page, look: PageLook): readonly Row[] {
  switch (page.kind) {
    case 'call':
      return callRows(page.call, page.details, look);
    case 'thought':
      return section('Thought', page.thought, look);
    case 'overview':
      return overviewRows(page.card, { ...look, edge: EDGE });
    case 'file':
      return fileRows(page.file, { ...look, edge: EDGE });
    default:
      return assertNever(page);
  }
}

export function pageTitle(page: Page): Row {
  switch (page.kind) {
    case 'call': {
      const { ok, tool, target, durationMs } = page.call;
      return [
        own(ok ? '✓ ' : '✗ ', ok ? 'good' : 'bad'),
        { text: tool, role: 'strong' },
        own(' '),
        { text: target, role: 'plain' },
        own(`  ${formatDuration(durationMs)}`, 'dim'),
      ];
    }
    case 'thought':
      return [own('∴ ', 'dim'), own(`thought for ${formatDuration(page.durationMs)}`, 'strong')];
    case 'overview':
      return [own('the review', 'strong')];
    case 'file':
      return [...page.label, ...spellOut([{ raw: page.file.path, role: 'strong' }])];
    default:
      return assertNever(page);
  }
}

function callRows({ tests }: FinishedCall, details: CallDetails | 'loading', look: PageLook): readonly Row[] {
  if (details === 'loading') return [[...EDGE, own('loading', 'dim')]];
  const failed = tests?.failures ?? [];
  return [
    ...section('Input', details.input, look),
    ...failed.flatMap(({ file, name, why }) => [
      ...hangingRows(
        [own('✗ ', 'bad'), { text: file, role: 'bad' }, own(' › '), { text: name, role: 'bad' }],
        { ...MARGIN, breakAt: 'character' },
        look.width,
      ),
      ...why.flatMap((text) => hangingRows([{ text, role: 'plain' }], { ...MARGIN, breakAt: 'character' }, look.width)),
    ]),
    ...section('Output', details.output, look),
  ];
}

const MARGIN = { first: [...EDGE, own('  ')], rest: [...EDGE, own('↪ ', 'dim')] } as const;

function section(title: string, { raw }: Raw, { width }: PageLook): Row[] {
  const lines = raw.replace(/\n$/, '').split('\n');
  return [
    [...EDGE, own(title, 'accent')],
    ...lines.flatMap((line) => hangingRows(spellOut(plainPiece(line)), { ...MARGIN, breakAt: 'character' }, width)),
  ];
}
