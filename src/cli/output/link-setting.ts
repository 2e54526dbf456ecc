/** Whether texts lead somewhere when they are clicked (OSC 8); `auto`: in a terminal that is not known to print the sequence. */
export const LINK_SETTINGS = ['auto', 'on', 'off'] as const;
export type LinkSetting = (typeof LINK_SETTINGS)[number];
