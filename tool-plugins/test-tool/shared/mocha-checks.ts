import { ALL_THROW, ASSERT_FALSEHOODS, CHAI_FALSEHOODS, expectFalsehoods } from './falsehoods.ts';

/** A CommonJS module for the canaries of mocha: whether each false assertion throws, by `node:assert` and by what the project has installed. */
export const CHECKS_SOURCE = `const nodeAssert = require('node:assert');
${ALL_THROW}
module.exports = ({ chai, expect }) => {
  const each = typeof expect === 'function' ? expect : expect?.expect ?? expect?.default;
  return allThrow([
    ...${ASSERT_FALSEHOODS},
    ...(typeof chai?.expect === 'function' ? ${CHAI_FALSEHOODS} : []),
    ...(typeof each === 'function' ? ${expectFalsehoods('() => {}')} : []),
  ]);
};
`;
