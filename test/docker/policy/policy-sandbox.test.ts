import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRunner } from './runner-fixture.ts';
import type { RunnerFixture } from './runner-fixture.ts';

let runner: RunnerFixture;
beforeEach(async () => {
  runner = await startRunner();
});
afterEach(() => runner.close());

const answering = (answer: object): string => `export default () => (${JSON.stringify(answer)});`;

describe('an extension in its container', () => {
  test.each([
    ['allow', 'allow'],
    ['pass', 'allow'],
    ['require_review', 'require_review'],
    ['deny', 'deny'],
  ] as const)('that says %s makes an allowed write %s', async (decision, verdict) => {
    await runner.follow({ judge: answering({ decision, reason: 'so it is' }) });
    const asked = await runner.answered();
    expect(asked.decision).toBe(verdict);
    expect(asked.results).toEqual([{ kind: 'answered', name: 'judge', action: decision, reason: 'so it is' }]);
  });

  test('may be TypeScript of any kind, wait, and see all of the request', async () => {
    const source = `import type { PolicyExtension } from './policy-extension.ts';
      enum Kind { Test = 'test' }
      const rule: PolicyExtension = async (request) => {
        await new Promise((resolve) => setTimeout(resolve, 5));
        return { decision: 'deny', reason: \`\${Kind.Test} \${JSON.stringify(request)}\` };
      };
      export default rule;`;
    await runner.follow({ judge: source });
    const { results } = await runner.answered();
    expect(results).toMatchObject([
      {
        reason:
          'test {"syscall":"fs.write","path":"src/a.ts","state":"code_writing","mode":"strict","tags":["core_plugin"]}',
      },
    ]);
  });

  test('answers for what began under its policy, after another has come into force', async () => {
    const slow =
      "export default () => new Promise((done) => setTimeout(done, 20, { decision: 'require_review', reason: 'old' }));";
    await runner.follow({ judge: slow });
    await runner.answered();
    const underWay = [runner.ask(), runner.ask(), runner.ask()];
    await runner.follow({ judge: answering({ decision: 'deny', reason: 'new' }) });
    for (const { reasons } of await Promise.all(underWay)) {
      // On a machine with too much to do an honest one is late.
      expect(reasons.join()).toMatch(/^old$|no answer within 100 ms|after a failure/);
    }
    expect((await runner.answered()).reasons).toEqual(['new']);
  });

  test('stays for all that it is asked', async () => {
    await runner.follow({ judge: answering({ decision: 'pass' }) });
    await runner.answered();
    const before = await runner.containers();
    for (let time = 0; time < 40; time += 1) await runner.ask();
    expect(await runner.containers()).toEqual(before);
  });

  test('can change neither the state, the prototypes nor the answers of another', async () => {
    const hostile = `globalThis.shared = 'seen';
      Object.prototype.decision = 'allow';
      Array.prototype.map = () => [];
      JSON.stringify = () => '{}';
      globalThis.postMessage = () => undefined;
      export default () => ({ decision: 'pass' });`;
    const witness = `export default () => ({
      decision: 'deny',
      reason: [typeof globalThis.shared, typeof ({}).decision, [1].map(() => 2)[0], JSON.stringify({ a: 1 })].join(' '),
    });`;
    await runner.follow({ hostile, witness });
    const { decision, reasons } = await runner.answered();
    expect({ decision, reasons }).toEqual({ decision: 'deny', reasons: ['undefined undefined 2 {"a":1}'] });
  });

  test('gets a container without network, workspace, capabilities and processes beside it', async () => {
    await runner.follow({ judge: answering({ decision: 'pass' }) });
    const [id] = await runner.containers();
    const found = JSON.parse((await runner.guard.ask('GET', `/containers/${id ?? ''}/json`)).text) as {
      readonly HostConfig: Record<string, unknown>;
      readonly Mounts: readonly { readonly Destination: string; readonly RW: boolean }[];
    };
    expect(found.HostConfig).toMatchObject({
      NetworkMode: 'none',
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      CapAdd: [],
    });
    expect(found.Mounts.map(({ Destination, RW }) => [Destination, RW])).toEqual([['/run/fluffy', false]]);
  });
});

/** Each fails only when it is asked about the write: it is warm before. */
const onWrite = (body: string): string =>
  `export default (request) => { if (request.syscall !== 'fs.write') return { decision: 'pass' }; ${body} };`;

describe('what goes wrong denies within its time, and comes back', () => {
  test.each([
    ['loops', onWrite('for (;;);'), /"judge" gave no answer: no answer within 100 ms/],
    ['answers late', onWrite("return new Promise((done) => setTimeout(done, 400, { decision: 'allow' }));"), /100 ms/],
    ['never answers', onWrite('return new Promise(() => undefined);'), /100 ms/],
    ['throws', onWrite("throw new Error('boo');"), /"judge" gave no answer: it threw Error: boo/],
    [
      'throws later',
      onWrite("setTimeout(() => { throw new Error('later'); }, 1); return new Promise(() => undefined);"),
      /later/,
    ],
    [
      'rejects unheard',
      onWrite("void Promise.reject(new Error('unheard')); return new Promise(() => undefined);"),
      /unheard/,
    ],
    ['ends its worker', onWrite("self.close(); return { decision: 'allow' };"), /100 ms/],
    ['answers with nothing', onWrite('return undefined;'), /did not return an object/],
    ['answers with a word', onWrite("return 'allow';"), /did not return an object/],
    ['answers with another decision', onWrite("return { decision: 'ALLOW' };"), /malformed/],
    ['answers with more than it should', onWrite("return { decision: 'allow', sudo: true };"), /field other/],
    [
      'answers with what a terminal acts on',
      onWrite("return { decision: 'allow', reason: '\\u001b[2J' };"),
      /malformed/,
    ],
    ['answers with ten megabytes', onWrite("return { decision: 'allow', reason: 'x'.repeat(1e7) };"), /more than 500/],
    [
      'answers twice',
      onWrite("postMessage({ kind: 'answered', id: 1, answer: { decision: 'allow' } }); return { decision: 'allow' };"),
      /./,
    ],
    [
      'floods',
      onWrite("for (let n = 0; n < 1e5; n += 1) postMessage('x'.repeat(1e4)); return { decision: 'allow' };"),
      /./,
    ],
    ['takes all memory', onWrite('const all = []; for (;;) all.push(new Array(1e6).fill(1));'), /./],
  ])('when it %s', async (_title, source, why) => {
    await runner.follow({ judge: source, clerk: answering({ decision: 'allow' }) });
    const { decision, reasons } = await runner.ask();
    expect(decision).toBe('deny');
    // On a machine with too much to do, whatever else it is, it is late first.
    expect(reasons.join()).toMatch(new RegExp(`${why.source}|no answer within 100 ms`));
    const down = await runner.ask();
    expect(down.decision).toBe('deny');
    expect(down.reasons.join()).toMatch(/being restarted/);
    // Its container goes, and another takes its place.
    const harmless = { syscall: 'fs.write.other', state: 'idle', mode: 'strict', tags: [] } as const;
    await runner.answered(harmless);
    expect(await runner.containers()).toHaveLength(1);
  });

  test('when its sandbox is killed, at any time', async () => {
    await runner.follow({ judge: answering({ decision: 'pass' }) });
    expect((await runner.answered()).decision).toBe('allow');
    const [id] = await runner.containers();
    await runner.guard.ask('POST', `/containers/${id ?? ''}/kill`);
    await expect.poll(async () => (await runner.ask()).decision, { interval: 20 }).toBe('deny');
    await expect.poll(async () => (await runner.ask()).decision, { interval: 100 }).toBe('allow');
    expect(runner.failures.length).toBeGreaterThan(0);
  });

  test.each([
    ['is no TypeScript', 'export default (request: => 1', /"judge" cannot be loaded: .*SyntaxError/],
    ['has no default export', 'export const rule = () => ({ decision: "allow" });', /no default export/],
    ['throws when it is loaded', "throw new Error('not today');", /not today/],
    ['imports from the network', "import x from 'https://example.invalid/x.ts'; export default x;", /cannot be loaded/],
    ['imports a package', "import z from 'npm:zod'; export default z;", /cannot be loaded/],
    ['imports a file', "import x from 'file:///etc/passwd'; export default x;", /cannot be loaded/],
  ])('an extension that %s is never asked', async (_title, source, why) => {
    await runner.follow({ judge: source });
    const { decision, reasons } = await runner.ask();
    expect(decision).toBe('deny');
    expect(reasons.join()).toMatch(why);
  });
});
