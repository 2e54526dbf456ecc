import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_TEXT, endText, pendingLines, takeDelta } from '../../../src/tui/store/text-stream.ts';

function play(text: string, cut: (at: number) => number): { blocks: string[]; pending: string[] } {
  let stream = NO_TEXT;
  const blocks: string[] = [];
  for (let at = 0; at < text.length;) {
    const next = Math.min(text.length, at + cut(at));
    const step = takeDelta(stream, text.slice(at, next));
    stream = step.stream;
    if (step.block !== null) blocks.push(step.block.raw);
    at = next;
  }
  const pending = pendingLines(stream);
  const last = endText(stream, text).block;
  return { blocks: last === null ? blocks : [...blocks, last.raw], pending };
}

describe('the text of a model as it comes in', () => {
  it('leaves block by block, and shows the one that is being written', () => {
    expect(play('one\ntwo\n\nthree', () => 1)).toEqual({ blocks: ['one\ntwo\n\n', 'three'], pending: ['three'] });
  });

  it('keeps a block of code together, empty lines and all', () => {
    const code = '```js\na\n\nb\n```\n';
    expect(play(`${code}after`, () => 3).blocks).toEqual([code, 'after']);
  });

  it('takes a shorter fence within a longer one for code', () => {
    const code = '````\n```\n\nx\n```\n````\n';
    expect(play(`${code}after`, () => 1).blocks).toEqual([code, 'after']);
  });

  it('lets a long block of code go in parts that are code each', () => {
    const { blocks } = play(`\`\`\`js\n${'x\n'.repeat(100)}\`\`\`\n`, () => 1);
    expect(blocks.length).toBeGreaterThan(2);
    for (const block of blocks) expect(block).toMatch(/^```js\n(x\n)+```\n?$/);
    expect(blocks.join('').match(/^x$/gm)?.length).toBe(100);
  });

  it('loses and doubles nothing, however it is cut', () => {
    const words = fc.array(fc.constantFrom('a', 'b ', '\n', '\n\n', '- c\n', '# d\n'), { maxLength: 40 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 7 }), (pieces, size) => {
        const text = pieces.join('');
        expect(
          play(text, () => size)
            .blocks.join('')
            .replace(/\s/g, ''),
        ).toBe(text.replace(/\s/g, ''));
      }),
    );
  });
});
