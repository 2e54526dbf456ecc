import type { Grammar } from './grammar.ts';

/** Operators that C's descendants and Python spell alike. */
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

/** Operators that Go and JavaScript have beside the common ones. */
export const C_OPERATORS = {
  ...COMMON_OPERATORS,
  '&&': ['||'],
  '||': ['&&'],
  '++': ['--'],
  '--': ['++'],
} as const satisfies Grammar['operators'];
