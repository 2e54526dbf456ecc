import { ALL_THROW, ASSERT_FALSEHOODS, CHAI_FALSEHOODS, expectFalsehoods } from '../falsehoods.ts';
import { GUARDED, WATCHED } from '../watched.ts';

/**
 * A CommonJS module for the canaries of mocha, loaded before any code of the project. It answers a function that says whether `node:assert`, the parts of the
 * runner and the packages to assert with are what they were, and whether each false assertion throws.
 */
export const CHECKS_SOURCE = `const nodeAssert = require('node:assert');
${ALL_THROW}
${WATCHED}
${GUARDED}
module.exports = ({ parts, chai, expect, sinon }) => {
  const each = typeof expect === 'function' ? expect : expect?.expect ?? expect?.default;
  const guard = guarded([nodeAssert, nodeAssert.strict]);
  const isSame = watched([nodeAssert.AssertionError.prototype, ...parts, chai?.assert, chai?.AssertionError?.prototype, each, sinon?.assert]);
  return async () => !guard.isReplaced() && isSame() && allThrow([
    ...${ASSERT_FALSEHOODS},
    ...(typeof chai?.expect === 'function' ? ${CHAI_FALSEHOODS} : []),
    ...(typeof each === 'function' ? ${expectFalsehoods('() => {}')} : []),
    ...(typeof sinon?.assert?.called === 'function' ? [() => sinon.assert.called(sinon.spy()), () => sinon.assert.calledOnceWithExactly(sinon.spy(), 1)] : []),
  ]);
};
`;
