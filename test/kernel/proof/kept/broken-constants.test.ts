import { expect, it } from 'vitest';
import { newEffects } from '../../../../src/kernel/proof/kept/effects/new-effects.ts';
import { syntaxParser } from '../../../../src/platform/syntax/syntax-parser.ts';

const parse = syntaxParser(() => 0);

async function brokenIn(path: string, before: string, after: string) {
  const { constants } = await newEffects([{ path, role: 'source', before, after }], [], parse);
  return constants.map(({ broken }) => broken);
}

it.each([
  ['a.py', 'sorted(a)\n', 'sorted(a, reverse=True)\n', 'sorted(a)\n', 'sorted(a, reverse=False)\n'],
  ['a.py', 'f(a)\n', 'f(start=2, key=a)\n', 'f( key=a)\n', 'f(start=3, key=a)\n'],
  [
    'a.py',
    'OFF = False\nf(a)\n',
    'OFF = False\nf(verify=OFF)\n',
    'OFF = False\nf()\n',
    'OFF = False\nf(verify=True)\n',
  ],
  ['a.js', 'f(a);\n', 'f(a, { deep: true });\n', 'f(a, {  });\n', 'f(a, { deep: false });\n'],
  [
    'a.js',
    'f(a);\n',
    'const deep = true;\nf({ deep });\n',
    'const deep = true;\nf({  });\n',
    'const deep = true;\nf({ deep: false });\n',
  ],
  ['a.php', '<?php\nf($a);\n', '<?php\nf($a, strict: true);\n', '<?php\nf($a);\n', '<?php\nf($a, strict: false);\n'],
  ['a.rb', 'f(a)\n', 'f(a, deep: true)\n', 'f(a)\n', 'f(a, deep: false)\n'],
])('%s: without a constant, and with another: %s -> %s', async (path, before, after, without, other) => {
  expect(await brokenIn(path, before, after)).toEqual([{ without, other }]);
});

it.each([
  ['nothing', 'a.py', 'f(a)\n', 'f(a, key=None)\n'],
  ['a property that is assigned', 'a.js', 'f(a);\n', 'f(a);\na.verify = false;\n'],
])('cannot break %s', async (_, path, before, after) => {
  expect(await brokenIn(path, before, after)).toEqual([null]);
});

it('finds none in what forbids more of a data class', async () => {
  const before = 'class A:\n    b: int\n';
  const after = `from dataclasses import dataclass\n\n\n@dataclass(frozen=True, slots=True)\n${before}`;
  expect(await brokenIn('a.py', before, after)).toEqual([]);
  expect(await brokenIn('a.py', before, after.replace('frozen=True', 'eq=False'))).toHaveLength(1);
});
