import { describe, expect, it } from 'vitest';
import { sanitise } from '../../../src/kernel/record/sanitise.ts';
import { redactSecrets } from '../../../src/lib/secrets/redact-secrets.ts';

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
