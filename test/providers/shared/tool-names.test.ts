import { expect, test } from 'vitest';
import { toolNames, wireCallId } from '../../../src/providers/shared/tool-names.ts';

const tools = (...names: string[]) => names.map((name) => ({ name, description: '', input_schema: {} }));

test.each(['fs.read', 'workflow.revise_tests', 'a_b', 'plain'])('%s survives the way out and back', (name) => {
  const names = toolNames(tools('fs.read', 'workflow.revise_tests', 'a_b', 'plain'));
  expect(names.toWire(name)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(names.fromWire(names.toWire(name))).toBe(name);
});

test('an underscore is not taken for a dot', () => {
  const names = toolNames(tools('a_b'));
  expect(names.fromWire('a_b')).toBe('a_b');
  expect(names.fromWire('c_d')).toBe('c_d');
});

test('two tools that would look the same are refused', () => {
  expect(() => toolNames(tools('a.b', 'a_b'))).toThrow(/a_b/);
});

test.each(['weird name!', 'x'.repeat(500), ''])('a tool nobody offered, %j, gets a name that vendors take', (tool) => {
  expect(toolNames([]).toWire(tool)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
});

test.each(['toolu_01Abc', 'call_9-x'])('the id %s stays as it is', (id) => {
  expect(wireCallId(id)).toBe(id);
});

test.each(['', 'a b', 'x'.repeat(65), 'ü', 'a|b'])('the id %j becomes one that vendors take, always the same', (id) => {
  expect(wireCallId(id)).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
  expect(wireCallId(id)).toBe(wireCallId(id));
  expect(wireCallId(id)).not.toBe(wireCallId(`${id}'`));
});
