/** Kinds of change that can be exempt from a test that fails first. Policy decides which paths each covers. */
export const EXEMPTION_CATEGORIES = ['config_change', 'type_refactor', 'documentation', 'asset_update'] as const;
export type ExemptionCategory = (typeof EXEMPTION_CATEGORIES)[number];
