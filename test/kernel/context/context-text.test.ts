import { expect, it } from 'vitest';
import { CONTEXT_PARTS, contextText } from '../../../src/kernel/context/parts.ts';
import type { ContextUse } from '../../../src/kernel/context/parts.ts';
import { widestCells } from '../../../src/tui/text/cells.ts';

const WINDOW = { tokens: 1_000_000, output: 16_000, clearAt: 500_000, compactAt: 800_000 };
const USE = Object.fromEntries(CONTEXT_PARTS.map((part) => [part, 12_345])) as ContextUse;
const TOOLS = ['fs.read', 'fs.write'].map((name) => ({ name, description: 'x', input_schema: {} }));

it('/context has one row for each part in 80 columns, and counts that can be read', () => {
  const [head, ...rows] = contextText(USE, WINDOW, TOOLS).split('\n');
  const parts = rows.slice(0, CONTEXT_PARTS.length + 1);
  expect(head).toBe('about 98,760 of 1,000,000 tokens (10 %); 16,000 are kept free for an answer');
  expect(Math.max(...parts.map(widestCells))).toBeLessThanOrEqual(78);
  expect(parts.at(-1)).toMatch(/^free .* 901,240 {2}90 %$/);
  expect(rows.at(-2)).toMatch(/^Of the tokens for tools: fs\.write \d+ %, fs\.read \d+ %$/);
});
