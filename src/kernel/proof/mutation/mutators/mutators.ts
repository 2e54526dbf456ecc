import type { Mutator } from '../mutator.ts';
import { changeLiteral } from './change-literal.ts';
import { dropNegation } from './drop-negation.ts';
import { negateCondition } from './negate-condition.ts';
import { removeStatement } from './remove-statement.ts';
import { replaceReturn } from './replace-return.ts';
import { swapCall } from './swap-call.ts';
import { swapOperator } from './swap-operator.ts';

/** In the order in which they are tried where they are equally telling. */
export const MUTATORS: readonly Mutator[] = [
  replaceReturn,
  swapOperator,
  negateCondition,
  removeStatement,
  swapCall,
  dropNegation,
  changeLiteral,
];
