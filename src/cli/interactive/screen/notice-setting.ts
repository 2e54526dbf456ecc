/** When there are notices; `away`: unless the terminal says that it is in front. */
export const NOTICE_SETTINGS = ['away', 'always', 'off'] as const;
export type NoticeSetting = (typeof NOTICE_SETTINGS)[number];
