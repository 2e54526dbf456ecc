import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INVALID_NAME, MAX_ARGUMENT_BYTES, parseCall } from '../../../src/kernel/call/parse.ts';
import { TOOLS } from '../../../src/kernel/tools/registry.ts';

const parse = (tool: string, text: string) => parseCall(TOOLS, { call_id: 'c1', tool, arguments: text });

/** Arguments of a read, nested to a depth. */
const nested = (depth: number) => `{"path":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('a call of the model', () => {
  it.each([
    [
      'an unknown tool',
      'fs.raed',
      '{}',
      'unknown_tool',
      'There is no tool "fs.raed". Did you mean fs.read? Tools: fs.read, ',
    ],
    ['a tool of another agent', 'bash', '{}', 'unknown_tool', 'There is no tool "bash": use shell.run. '],
    ['a tool of another agent in its case', 'Read', '{}', 'unknown_tool', 'There is no tool "Read": use fs.read. '],
    ['a tool that resembles none', 'browser', '{}', 'unknown_tool', 'There is no tool "browser". Tools: fs.read, '],
    [
      'arguments that are not JSON',
      'fs.read',
      '{"path": "a',
      'invalid_input',
      'of fs.read are not JSON that can be read (',
    ],
    ['a missing field', 'fs.read', '{}', 'invalid_input', 'of fs.read do not fit:\npath is missing (string).'],
    [
      'an unknown field',
      'fs.read',
      '{"path":"a","mode":"x"}',
      'invalid_input',
      'There is no field "mode".\nFields: path, offset, limit.',
    ],
    [
      'a field of the wrong type within a list',
      'todo.update',
      '{"items":[{"text":1}]}',
      'invalid_input',
      'items[0].text: ',
    ],
    ['a wrong type', 'test.run', '{"paths":{"a":1}}', 'invalid_input', 'paths'],
    ['an array for an object', 'fs.read', '["a"]', 'invalid_input', 'object'],
    ['a key twice', 'fs.read', '{"path":"a","path":"b"}', 'invalid_input', '(duplicate key)'],
    ['a key __proto__', 'fs.read', '{"path":"a","__proto__":{}}', 'invalid_input', '(key __proto__)'],
    [
      'arguments nested too deeply',
      'fs.read',
      nested(65),
      'invalid_input',
      '(nested too deeply). Send one JSON object.',
    ],
  ])('is answered when it has %s', (_, tool, text, code, message) => {
    const call = parse(tool, text);
    expect(call).toMatchObject({ stage: 'refused', by: 'parser', error: { code, retryable: true } });
    expect(call.stage === 'refused' && call.error.message).toContain(message);
  });

  it('takes empty arguments for none', () => {
    expect(parse('git.status', ' ')).toMatchObject({ stage: 'parsed', use: { input: {} } });
  });

  it('is read where its JSON has faults that leave one reading, and kept as JSON', () => {
    expect(parse('search.grep', '```json\n{"pattern": "\\d+", "path": "src",}\n```')).toMatchObject({
      stage: 'parsed',
      use: { input: { pattern: '\\d+', path: 'src' } },
      received: { arguments: '{"pattern":"\\\\d+","path":"src"}' },
    });
  });

  it.each(['fs_read', 'FS.Read', 'fs-read', 'functions.fs.read', 'functions.fs_read', 'mcp__fluffy__fs_read'])(
    'is of the tool that is meant where its name is spelled %s',
    (name) => {
      expect(parse(name, '{"path":"a"}')).toMatchObject({ stage: 'parsed', received: { tool: 'fs.read' } });
    },
  );

  it('never throws, whatever name and arguments are', () => {
    fc.assert(
      fc.property(fc.string(), fc.oneof(fc.json(), fc.string()), (tool, text) => {
        parse(tool, text);
        parse('fs.write', text);
      }),
    );
  });
});

describe('the name of a tool', () => {
  it.each(['', 'a'.repeat(65), 'fs read', 'fs\u001b]0;owned\u0007.read', '\u202efs.read', 'fs.read\n', 'ｆs.read'])(
    '%j is replaced before anything else sees it',
    (name) => {
      const call = parse(name, '{"path":"a"}');
      expect(call).toMatchObject({
        stage: 'refused',
        received: { call_id: 'c1', tool: INVALID_NAME, arguments: '{"path":"a"}' },
        error: { code: 'unknown_tool' },
      });
      expect(call.stage === 'refused' && call.error.message).toMatch(/^A tool's name matches .* Tools: fs\.read, /);
    },
  );

  it.each(['fs.raed', 'a', 'A-b_c.9', 'a'.repeat(64)])('%s is kept, although there is no such tool', (name) => {
    expect(parse(name, '{}').received.tool).toBe(name);
  });
});

describe('arguments in the history', () => {
  it.each([
    ['too deeply nested', nested(400_000)],
    ['too large', JSON.stringify({ path: 'x'.repeat(MAX_ARGUMENT_BYTES) })],
    ['cut off', '{"path": "a'],
    ['ambiguous', '{"path":"a","path":"b"}'],
  ])('are an empty object where they are %s', (_, text) => {
    expect(parse('fs.read', text)).toMatchObject({ stage: 'refused', received: { tool: 'fs.read', arguments: '{}' } });
  });

  it('are kept as they were where they can be read', () => {
    expect(parse('fs.read', '{"path":1}').received.arguments).toBe('{"path":1}');
    expect(parse('fs.raed', '{"path":"a"}').received.arguments).toBe('{"path":"a"}');
  });

  it('are bounded in bytes, not in characters', () => {
    const text = (count: number) => JSON.stringify({ path: 'é'.repeat(count) });
    const half = MAX_ARGUMENT_BYTES / 2;
    const refused = parse('fs.read', text(half));
    expect(refused.stage === 'refused' && refused.error.message).toBe(
      `The arguments of fs.read have ${MAX_ARGUMENT_BYTES + 11} bytes; at most ${MAX_ARGUMENT_BYTES} are read. Do it in several calls.`,
    );
    const fits = parse('fs.read', text(half - 6));
    expect(fits.stage === 'refused' && fits.error.message).toContain('do not fit');
  });

  it('may be nested as deeply as any tool needs', () => {
    const call = parse('fs.read', nested(64));
    expect(call.stage === 'refused' && call.error.message).toContain('do not fit');
  });
});
