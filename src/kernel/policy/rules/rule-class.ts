/**
 * Classes of a path that a rule can require. `test`, `docs`, `source` and `other` exclude each other; `sensitive` and
 * `exempt` (covered by a category of exemptions) come in addition.
 */
export const RULE_CLASSES = ['test', 'docs', 'source', 'other', 'sensitive', 'exempt'] as const;

export type RuleClass = (typeof RULE_CLASSES)[number];
