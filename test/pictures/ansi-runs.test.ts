import { expect, it } from 'vitest';
import { ansiRuns } from '../../bin/pictures/ansi-runs.ts';
import { screenSvg } from '../../bin/pictures/screen-svg.ts';

it('places each run by the cells before it, wide characters included', () => {
  expect(ansiRuns(['a漢\x1b[1mb\x1b[0mc'])[0]?.map(({ text, column, width }) => [text, column, width])).toEqual([
    ['a漢', 0, 3],
    ['b', 3, 1],
    ['c', 4, 1],
  ]);
});

it.each([
  ['31', { foreground: '#e06c75' }],
  ['94', { foreground: '#82c3f7' }],
  ['38;5;196', { foreground: '#ff0000' }],
  ['48;5;232', { background: '#080808' }],
  ['38;2;1;2;255', { foreground: '#0102ff' }],
  ['1;2;3;4;7', { bold: true, dim: true, italic: true, underline: true, inverse: true }],
  ['31;39', { foreground: null }],
  ['1;4;0', { bold: false, underline: false }],
])('reads the style %s', (codes, style) => {
  expect(ansiRuns([`\x1b[${codes}mx`])[0]?.[0]?.style).toMatchObject(style);
});

it('drops what is no style, links among it', () => {
  expect(ansiRuns(['\x1b]8;;https://example.invalid\x1b\\text\x1b]8;;\x1b\\'])[0]?.map(({ text }) => text)).toEqual([
    'text',
  ]);
});

it('draws text as text', () => {
  const svg = screenSvg(ansiRuns(['<b> & \x1b[41mred\x1b[0m']), 20, 'A <title>');
  expect(svg).toContain('&lt;b&gt; &amp; </text>');
  expect(svg).toContain('<title>A &lt;title&gt;</title>');
  expect(svg).toContain('fill="#e06c75"');
  expect(svg).not.toContain('\x1b');
});

it('begins a row in the style in which the one above it ended', () => {
  const dim = ansiRuns(['a\x1b[2mb', '', 'c\x1b[0md', 'e']).map((runs) => runs.map(({ style }) => style.dim));
  expect(dim).toEqual([[false, true], [], [true, false], [false]]);
});
