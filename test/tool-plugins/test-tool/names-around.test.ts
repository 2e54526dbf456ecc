import { expect, it } from 'vitest';
import { rustCode } from '../../../tool-plugins/test-tool/shared/cargo/own-names.ts';
import { receiverBefore } from '../../../tool-plugins/test-tool/shared/names-around.ts';

it.each([
  ['Prices.of().get()', 11, 'Prices.of()'],
  ['a).c)', 2, 'a)'],
])('reads what a member is asked of in %s', (code, dot, receiver) => {
  expect(receiverBefore(code, dot)).toBe(receiver);
});

it('takes no quoted quote of Rust for the end of a literal', () => {
  expect(rustCode(`is(&['\\'','"'], f(a))`)).toBe('is(&[    ,   ], f(a))');
});
