import type { Mutator } from '../mutator.ts';

/** A function returns something else: `false` for `true`, and for a computed value another one of its type, where that can be made at run time. */
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
    // What another value is made of still throws: a test of errors alone sees only that nothing is called any more.
    const uncalled = grammar.calls.has(returned.kind) ? [{ start, end, replacement: nothing }] : [];
    return [{ start, end, ...another }, ...uncalled];
  },
};
