import { PassThrough } from 'node:stream';
import fc from 'fast-check';
import { renderToString } from 'ink';
import { describe, expect, it } from 'vitest';
import { formatEntry } from '../../../src/lib/audit/format-entry.ts';
import { printerFor } from '../../../src/cli/headless/printer.ts';
import type { FinishedEvent } from '../../../src/cli/headless/printer.ts';
import { ProcessOutput } from '../../../src/cli/output/process-output.ts';
import { plainText, showReview } from '../../../src/cli/review/show-review.ts';
import { formatSession, formatSessionList } from '../../../src/cli/session/format-sessions.ts';
import { auditEntrySchema } from '../../../src/contracts/audit-entry.ts';
import type { AuditEntry } from '../../../src/contracts/audit-entry.ts';
import { eventBodySchema } from '../../../src/contracts/session/events.ts';
import type { EventBody, FluffyEvent } from '../../../src/contracts/session/events.ts';
import { ItemView } from '../../../src/tui/components/item-view.tsx';
import { Live } from '../../../src/tui/components/live.tsx';
import { reduce } from '../../../src/tui/store/reduce/reduce.ts';
import { freshView, stream, viewAfter } from '../../tui/event-stream.ts';
import { hostileOf, hostileText, unsafeIn } from '../../support/hostile-text.ts';

const RUNS = { numRuns: process.env['FLUFFY_SOAK'] === '1' ? 2000 : 60 };

const TYPES = eventBodySchema.options.map((option) => [option.shape.type.value, hostileOf(option)] as const);
const anyEvents = fc.array(fc.oneof(...TYPES.map(([, arbitrary]) => arbitrary)), { maxLength: 12 });

/** What reaches a terminal of text that goes through the process's own output. */
async function throughSink(write: (output: ProcessOutput) => void): Promise<string> {
  const stream = new PassThrough({ encoding: 'utf8' });
  let text = '';
  stream.on('data', (chunk: string) => (text += chunk));
  const output = new ProcessOutput(stream, stream);
  write(output);
  await output.finish();
  return text;
}

describe('no event has a terminal act on it', () => {
  it.each(TYPES)('%s, printed in any format', async (_, arbitrary) => {
    await fc.assert(
      fc.asyncProperty(
        arbitrary,
        fc.constantFrom('text', 'json', 'stream-json' as const),
        fc.boolean(),
        async (body, format, verbose) => {
          const [event] = stream([body as EventBody]) as [FluffyEvent];
          const shown = await throughSink((output) => {
            const printer = printerFor(format as 'text', output, verbose);
            printer.event(event);
            if (event.type === 'session.finished') printer.finished(event as FinishedEvent);
            if (event.type === 'error') printer.error({ ...event, code: 'x' });
            printer.progress(JSON.stringify(body));
          });
          expect(unsafeIn(shown)).toEqual([]);
        },
      ),
      RUNS,
    );
  });

  it.each(TYPES)('%s, in the list of a session', (_, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, hostileText, (body, text) => {
        const summary = {
          id: text,
          title: text,
          created: 0,
          updated: 0,
          state: 'idle',
          mode: 'strict',
          status: 'done',
          commits: [text],
          archived: true,
          forked_from: { session: text, after: 1, text },
        } as const;
        const shown = [
          formatSession({ ...summary, events: stream([body as EventBody]) }),
          formatSessionList([summary as never]),
        ].join('\n');
        expect(unsafeIn(shown)).toEqual([]);
      }),
      RUNS,
    );
  });

  it('in a terminal session, whatever comes before it', () => {
    fc.assert(
      fc.property(anyEvents, hostileText, (bodies, typed) => {
        const view = reduce(viewAfter(bodies as EventBody[], freshView()), {
          kind: 'edit',
          edit: { kind: 'insert', text: typed },
          atMs: 0,
        });
        const shown = [
          ...view.items.map((item) => renderToString(<ItemView item={item} />, { columns: 80 })),
          renderToString(<Live view={view} size={{ columns: 80, rows: 24 }} nowMs={() => 0} />, { columns: 80 }),
        ].join('\n');
        expect(unsafeIn(shown)).toEqual([]);
      }),
      { numRuns: RUNS.numRuns * 2 },
    );
  });
});

it('no record of the audit log has a terminal act on it', () => {
  fc.assert(
    fc.property(hostileOf(auditEntrySchema), (entry) => {
      const line = formatEntry(entry as AuditEntry);
      expect(unsafeIn(line)).toEqual([]);
      expect(line).not.toContain('\n');
    }),
    RUNS,
  );
});

it('no review has a terminal act on it', async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const rows = await showReview(
        {
          session_id: text,
          review_id: text,
          kind: 'merge',
          risk: 'high',
          reasons: [text, text],
          base: text,
          message: text,
          diff: text,
          sha256: text,
        },
        null,
      );
      expect(unsafeIn(plainText(rows))).toEqual([]);
    }),
    RUNS,
  );
});

describe('the text of a model', () => {
  it('is the same whatever pieces it comes in', async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, fc.array(fc.nat({ max: 40 }), { maxLength: 8 }), async (text, cuts) => {
        const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
        const pieces = [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
        const print = (parts: readonly string[]) =>
          throughSink((output) => {
            const printer = printerFor('text', output, false);
            const bodies = [...parts.map((part) => ({ type: 'text.delta', text: part })), { type: 'text.done', text }];
            for (const event of stream(bodies as EventBody[])) printer.event(event);
          });
        expect(await print(pieces)).toBe(await print([text]));
      }),
      RUNS,
    );
  });
});
