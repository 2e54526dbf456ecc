/**
 * What a rule can ask of a path besides its name. `test`, `docs`, `source` and `other` exclude each other; `sensitive` and `exempt` (covered by a category
 * of exemptions) come on top.
 */
export const RULE_CLASSES = ['test', 'docs', 'source', 'other', 'sensitive', 'exempt'] as const;

export type RuleClass = (typeof RULE_CLASSES)[number];
