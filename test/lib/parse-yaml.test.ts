import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../src/lib/parse-yaml.ts';

describe('a YAML document', () => {
  test.each<[string, unknown]>([
    ['a: [b, 1, true]\n# c', { a: ['b', 1, true] }],
    ['a: &x {b: 1}\nc: *x', { a: { b: 1 }, c: { b: 1 } }],
    ['a: !own 1', undefined],
    ['a: 1\na: 2', undefined],
    ['a: [', undefined],
    ['[[['.repeat(100_000), undefined],
    ['', undefined],
  ])('%.40j', (text, expected) => {
    expect(parseYaml(text)).toEqual(expected);
  });

  test('of somebody else brings no warning with its own text to the terminal', async () => {
    const warned: Error[] = [];
    const listen = (warning: Error): void => void warned.push(warning);
    process.on('warning', listen);
    for (const text of ['a: !\x1b[2J 1', 'a: !<tag:\x1b]0;x\x07> 1', '%YAML 9.9\n---\na: 1', '%\x1b[2J x\n---\na'])
      parseYaml(text);
    await setImmediate();
    process.off('warning', listen);
    expect(warned).toEqual([]);
  });
});
