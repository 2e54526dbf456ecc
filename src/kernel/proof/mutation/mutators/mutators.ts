import type { Mutator } from '../mutator.ts';
import { changeArguments, emptyArguments } from './change-arguments.ts';
import { changeLiteral } from './change-literal.ts';
import { dropNegation } from './drop-negation.ts';
import { negateCondition } from './negate-condition.ts';
import { removeStatement } from './remove-statement.ts';
import { replaceReturn } from './replace-return.ts';
import { swapCall } from './swap-call.ts';
import { swapOperator } from './swap-operator.ts';

/** Mutators of the same rank are tried in this order. */
export const MUTATORS: readonly Mutator[] = [
  replaceReturn,
  swapOperator,
  negateCondition,
  removeStatement,
  swapCall,
  dropNegation,
  emptyArguments,
  changeArguments,
  changeLiteral,
];
