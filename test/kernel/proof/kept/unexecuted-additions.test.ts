import coverage from 'istanbul-lib-coverage';
import { expect, it } from 'vitest';
import { unexecutedAdditions } from '../../../../src/kernel/proof/kept/unexecuted-additions.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);
const PATH = 'src/allowed.js';
const BEFORE =
  'export function isAllowed(user, needed) {\n  if (user.level === undefined) {\n    return false;\n  }\n  return user.level >= needed;\n}\n';
const EXTRACTED =
  'const isKnown = (user) => user.level !== undefined;\nexport function isAllowed(user, needed) {\n  return isKnown(user) && user.level >= needed;\n}\n';
const WITH_BACK_DOOR = BEFORE.replace('{\n', "{\n  if (user.name === 'mallory') {\n    return true;\n  }\n");

const ran = (path: string, lines: readonly number[]) => {
  const map = coverage.createCoverageMap({});
  const at = (line: number) => ({ line, column: 0 });
  map.addFileCoverage({
    path,
    statementMap: Object.fromEntries(lines.map((line) => [line, { start: at(line), end: at(line) }])),
    s: Object.fromEntries(lines.map((line) => [line, 1])),
    fnMap: {},
    f: {},
    branchMap: {},
    b: {},
  });
  return new Map([['test/allowed.test.js', map]]);
};
const found = async (after: string, lines: readonly number[], path = PATH) => {
  const source = { path: PATH, role: 'source' as const, before: BEFORE, after };
  return (await unexecutedAdditions([source], ran(path, lines), parse)).map(({ line, words }) => `${line}: ${words}`);
};

it('a branch that a refactoring adds and no test executes is a finding', async () => {
  expect(await found(WITH_BACK_DOOR, [1, 2, 5, 8])).toEqual(['3: no test executes this line, which is new']);
});

it.each([
  ['every new line runs', EXTRACTED, [1, 3], PATH],
  ['a line that no test executes was there before', `// Whether it may.\n${BEFORE}`, [2, 3, 6], PATH],
  ['it only moves', `export const a = 1;\n${BEFORE}`, [1, 2, 3, 6], PATH],
  ['no counted process loads the file', WITH_BACK_DOOR, [1], 'src/other.js'],
] as const)('nothing is found where %s', async (_, after, lines, path) => {
  expect(await found(after, lines, path)).toEqual([]);
});

it('nothing is found where nothing was counted', async () => {
  const source = { path: PATH, role: 'source' as const, before: BEFORE, after: WITH_BACK_DOOR };
  expect(await unexecutedAdditions([source], null, parse)).toEqual([]);
});
