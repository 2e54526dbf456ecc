import type { HollowLanguage } from './hollow-language.ts';

const METHODS = new Set(['method_declaration', 'compact_constructor_declaration']);

export const hollowJava: HollowLanguage = {
  bodyFor: (node) => (METHODS.has(node.kind) ? '{ throw new IllegalStateException(); }' : null),
};
