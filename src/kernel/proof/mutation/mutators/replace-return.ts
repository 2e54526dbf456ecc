import type { Mutator } from '../mutator.ts';

/**
 * A function returns another value: `false` in place of `true`. For a computed value, the replacement makes another
 * value of the same type at run time, if that is possible.
 */
export const replaceReturn: Mutator = {
  name: 'replace-return',
  rank: 1,
  mutate: (node, { grammar, text }) => {
    const returned = grammar.returned(node, text);
    if (returned === null) return [];
    const replacement = grammar.replacedReturn(returned, text);
    if (replacement === null) return [];
    const { start, end } = returned;
    if (typeof replacement === 'string') return [{ start, end, replacement }];
    const { nothing, ...another } = replacement;
    // The other value is computed from the original call, which can still throw. Without the call, a test that only
    // checks errors fails too.
    const uncalled = grammar.calls.has(returned.kind) ? [{ start, end, replacement: nothing }] : [];
    return [{ start, end, ...another }, ...uncalled];
  },
};
