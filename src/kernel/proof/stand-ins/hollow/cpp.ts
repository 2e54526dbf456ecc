import { childOf, textOf } from '../../syntax/walk.ts';
import type { HollowLanguage } from './hollow-language.ts';

/** Functions that run before any case, are evaluated by the compiler, or have no body. */
const STAYS = /\b(?:main|constexpr|consteval)\b|__attribute__\s*\(\(\s*constructor|=\s*(?:default|delete)/;

export const hollowCpp: HollowLanguage = {
  bodyFor: (node, text) => {
    if (node.kind !== 'function_definition') return null;
    const body = childOf(node, 'body');
    const head = text.slice(node.start, body?.start ?? node.end);
    return STAYS.test(head) || body === null || !textOf(body, text).startsWith('{') ? null : '{ __builtin_abort(); }';
  },
};
