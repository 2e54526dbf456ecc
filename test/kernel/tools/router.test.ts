import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SESSION_STATES } from '../../../src/contracts/workflow-states.ts';
import { availableTools, unavailable } from '../../../src/kernel/tools/availability.ts';
import { conflictGroups } from '../../../src/kernel/call/conflict-groups.ts';
import { parseCall } from '../../../src/kernel/call/parse-call.ts';
import { redactSecrets, sanitise } from '../../../src/kernel/record/sanitise.ts';
import type { ParsedCall } from '../../../src/contracts/tools.ts';

describe('a call of the model', () => {
  it.each([
    ['an unknown tool', { tool: 'fs.raed', arguments: '{}' }, 'unknown_tool', 'fs.read'],
    ['arguments that are not JSON', { tool: 'fs.read', arguments: '{"path": "a' }, 'invalid_input', 'not JSON'],
    ['a missing field', { tool: 'fs.read', arguments: '{}' }, 'invalid_input', 'path'],
    ['a field too many', { tool: 'fs.read', arguments: '{"path":"a","mode":"x"}' }, 'invalid_input', 'mode'],
    ['a wrong type', { tool: 'test.run', arguments: '{"paths":"a"}' }, 'invalid_input', 'paths'],
    ['an array for an object', { tool: 'fs.read', arguments: '["a"]' }, 'invalid_input', 'object'],
  ])('is answered when it has %s', (_, call, code, mention) => {
    const outcome = parseCall({ call_id: '1', ...call });
    expect(outcome).toMatchObject({ kind: 'error', error: { code, retryable: true } });
    expect(outcome.kind === 'error' && outcome.error.message).toContain(mention);
  });

  it('takes empty arguments for none', () => {
    expect(parseCall({ call_id: '1', tool: 'git.status', arguments: '' })).toMatchObject({ kind: 'ok' });
  });

  it('never throws, whatever the arguments are', () => {
    fc.assert(
      fc.property(fc.string(), fc.json(), (tool, json) => {
        parseCall({ call_id: '1', tool, arguments: json });
        parseCall({ call_id: '1', tool: 'fs.write', arguments: json });
      }),
    );
  });
});

const write = (path: string): ParsedCall => ({ tool: 'fs.write', input: { path, content: '' } });

describe('availability', () => {
  it('keeps the source shut before red, and says what opens it', () => {
    const error = unavailable(write('src/a.ts'), [{ path: 'src/a.ts', kind: 'source' }], 'test_writing');
    expect(error).toMatchObject({ code: 'tool_unavailable' });
    expect(error?.message).toContain('test_writing');
    expect(error?.message).toContain('fail');
  });

  it('keeps the tests shut after red', () => {
    expect(unavailable(write('test/a.ts'), [{ path: 'test/a.ts', kind: 'test' }], 'code_writing')?.code).toBe(
      'tool_unavailable',
    );
    expect(unavailable(write('src/a.ts'), [{ path: 'src/a.ts', kind: 'source' }], 'code_writing')).toBeNull();
  });

  it('refuses a move whose target is shut although its origin is open', () => {
    const call: ParsedCall = { tool: 'fs.move', input: { from: 'test/a.ts', to: 'src/a.ts' } };
    const targets = [
      { path: 'test/a.ts', kind: 'test' as const },
      { path: 'src/a.ts', kind: 'source' as const },
    ];
    expect(unavailable(call, targets, 'test_writing')?.code).toBe('tool_unavailable');
  });

  it.each(
    SESSION_STATES.filter(
      (state) => !['test_writing', 'code_writing', 'exploring', 'retroactive_testing'].includes(state),
    ),
  )('lets nothing be written in %s', (state) => {
    for (const kind of ['test', 'docs', 'source', 'other'] as const) {
      expect(unavailable(write('a'), [{ path: 'a', kind }], state)?.code).toBe('tool_unavailable');
    }
  });

  it.each<ParsedCall>([
    write('src/a.ts'),
    { tool: 'test.run', input: {} },
    { tool: 'fs.delete', input: { path: 'src/a.ts' } },
  ])('says that nothing but the commit is left after green: $tool', (call) => {
    expect(unavailable(call, [], 'reviewing')?.message).toContain('call git.commit');
  });

  it.each(SESSION_STATES)('offers reads in %s', (state) => {
    expect(availableTools(state)).toContain('fs.read');
  });
});

describe('calls of one message', () => {
  const reads = (path: string) => ({ reads: [path], writes: [] });
  const writes = (path: string) => ({ reads: [], writes: [path] });

  it('run side by side when their paths have nothing to do with each other', () => {
    expect(conflictGroups([writes('a'), writes('b'), reads('c')])).toEqual([[0, 1, 2]]);
  });

  it.each([
    ['one file twice', [writes('a'), writes('a')]],
    ['a read after a write', [writes('a'), reads('a')]],
    ['a write after a read', [reads('a'), writes('a')]],
    ['a directory and a file beneath it', [writes('dir'), writes('dir/a')]],
    ['one file in two spellings', [writes('./x/../A'), writes('a')]],
    ['the whole project', [writes('a'), { reads: 'everything' as const, writes: [] }]],
  ])('run one after the other: %s', (_, calls) => {
    expect(conflictGroups(calls)).toEqual([[0], [1]]);
  });

  it('keep their order: a later call never overtakes one it conflicts with', () => {
    const path = fc.constantFrom('a', 'b', 'a/c');
    const call = fc.record({ reads: fc.array(path), writes: fc.array(path) });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 8 }), (calls) => {
        const groups = conflictGroups(calls);
        const place = (index: number) => groups.findIndex((group) => group.includes(index));
        expect(groups.flat().sort((x, y) => x - y)).toEqual(calls.map((_, index) => index));
        calls.forEach((later, j) => {
          calls.slice(0, j).forEach((earlier, i) => {
            const clash =
              later.writes.some((w) => [...earlier.writes, ...earlier.reads].includes(w)) ||
              earlier.writes.some((w) => later.reads.includes(w));
            if (clash) expect(place(j)).toBeGreaterThan(place(i));
          });
        });
      }),
    );
  });
});

describe('what the model gets to see', () => {
  const shapes = [{ name: 'github', prefix: 'ghp_', minLength: 20 }];

  it('has keys of a known shape taken out, wherever they stand', () => {
    const key = `ghp_${'a1B2'.repeat(8)}`;
    const { text, redacted } = redactSecrets(`x="${key}" y=${key}\n${key}`, shapes);
    expect(text).not.toContain('a1B2');
    expect(redacted).toEqual(['github']);
  });

  it('keeps what only looks a little like one', () => {
    expect(redactSecrets('ghp_short and myghp_notatall', shapes).text).toBe('ghp_short and myghp_notatall');
  });

  it.each([
    `sk-ant-api03-${'a1'.repeat(20)}`,
    `ghp_${'a1'.repeat(18)}`,
    `gho_${'a1'.repeat(18)}`,
    `AKIA${'A1'.repeat(8)}`,
    `xoxb-${'12'.repeat(6)}-${'a1'.repeat(12)}`,
    `glpat-${'a1'.repeat(10)}`,
    `npm_${'a1'.repeat(18)}`,
  ])('never shows a key that everybody knows, although no policy names it: %s', (key) => {
    expect(redactSecrets(`"${key}"`, []).text).toMatch(/^"\[redacted: [^\]]+\]"$/);
  });

  it.each(['sk-learn', 'npm_config_user_agent', 'a task-with-a-very-long-name-of-its-own'])('keeps %s', (text) => {
    expect(redactSecrets(text, []).text).toBe(text);
  });

  it('is cut to its bound, head and tail kept', () => {
    const { text, truncated } = sanitise(`begin${'x'.repeat(100_000)}end`, shapes, 100);
    expect(truncated).toBe(true);
    expect(text.length).toBeLessThan(500);
    expect(text).toMatch(/^begin/);
    expect(text).toMatch(/end$/);
  });
});
