import { expect, it } from 'vitest';
import { exportSession } from '../../../src/cli/session/export/export-session.ts';
import { formatHtml } from '../../../src/cli/session/export/format-html.ts';
import { formatMarkdown } from '../../../src/cli/session/export/format-markdown.ts';
import type { ExportedSession } from '../../../src/cli/session/export/exported-session.ts';
import { formatOfFile } from '../../../src/cli/session/export/export-formats.ts';

it.each([
  ['s.md', 'md'],
  ['s', 'md'],
  ['S.HTML', 'html'],
  ['s.json', 'json'],
  ['s.jsonl', 'replay'],
] as const)('writes %s as %s', (file, format) => {
  expect(formatOfFile(file)).toBe(format);
});

it('writes nothing else under the ending of another format', () => {
  expect(() => formatOfFile('s.pdf')).toThrow(
    expect.objectContaining({ code: 'usage', why: 'no session is written as .pdf' }),
  );
});

const SESSION: ExportedSession = {
  id: 's_a',
  title: 'Modes',
  created: 1,
  updated: 2,
  state: 'idle',
  mode: 'strict',
  status: 'done',
  commits: [],
  archived: false,
  forked_from: null,
  events: [],
  inherited: [],
  audit: { intact: true, head: null, words: 'intact' },
};

it.each([formatMarkdown, formatHtml])('a review of no files has no empty diff in it', (format) => {
  const review = (diff: string) => format(SESSION, [{ kind: 'review', title: 'Mode', message: 'debug', diff }]);
  const marks = /```diff|<details open>/;
  expect(review('')).not.toMatch(marks);
  expect(review('diff --git a/a b/a\n')).toMatch(marks);
});

const RAW = '\u001b]0;title\u0007 a\r\nb\tc\u009b2J';

it.each([
  ['md', String.raw`\x1b]0;title\x07 a`, /[^\P{Cc}\n\t\r]/u],
  ['html', String.raw`\x1b]0;title\x07 a`, /[^\P{Cc}\n\t\r]/u],
  ['json', String.raw`\u001b]0;title\u0007 a\r\nb\tc\u009b2J`, /[^\P{Cc}\n]/u],
] as const)('a document that is printed to a terminal sets nothing there: %s', (format, spelled, control) => {
  const { audit, ...session } = SESSION;
  const message = {
    type: 'message.user',
    text: RAW,
    session_id: 's_a',
    seq: 1,
    ts: 1,
  } as ExportedSession['events'][number];
  const text = exportSession({ ...session, title: RAW, events: [message] }, audit, format);
  expect(text.replaceAll('\\\\', '\\')).toContain(spelled);
  expect(text).not.toMatch(control);
});
