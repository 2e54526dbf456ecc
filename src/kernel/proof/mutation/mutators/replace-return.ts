import type { Mutator } from '../mutator.ts';

/** A function returns something else: `false` for `true`, an empty list for one with items, nothing for a computed value. */
export const replaceReturn: Mutator = {
  name: 'replace-return',
  rank: 1,
  mutate: (node, { grammar, text }) => {
    const returned = grammar.returned(node, text);
    if (returned === null) return [];
    const replacement = grammar.replacedReturn(returned, text);
    return replacement === null ? [] : [{ start: returned.start, end: returned.end, replacement }];
  },
};
