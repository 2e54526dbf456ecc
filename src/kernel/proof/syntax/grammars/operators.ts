import type { Grammar } from './grammar.ts';

/** Operators that Python and the languages of the C family share. */
export const COMMON_OPERATORS = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '<<': ['>>'],
  '>>': ['<<'],
  '&': ['|'],
  '|': ['&'],
  '^': ['&'],
  '+=': ['-='],
  '-=': ['+='],
  '*=': ['/='],
  '/=': ['*='],
} as const satisfies Grammar['operators'];

/** Operators that Go and JavaScript have in addition to the common ones. */
export const C_OPERATORS = {
  ...COMMON_OPERATORS,
  '&&': ['||'],
  '||': ['&&'],
  '++': ['--'],
  '--': ['++'],
} as const satisfies Grammar['operators'];
