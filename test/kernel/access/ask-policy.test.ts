import { describe, expect, test, vi } from 'vitest';
import type { ExtensionResult, PolicyRequest } from '../../../src/contracts/policy.ts';
import { askPolicy, withAllowedPaths } from '../../../src/kernel/access/ask-policy.ts';
import type { CompiledPolicy } from '../../../src/kernel/policy/index.ts';
import { policyOf } from '../../support/kernel/policies.ts';
import { standingClock } from '../../support/standing-clock.ts';

const policy = policyOf(`capabilities:
  - { name: reads, match: { syscall: fs.read }, action: allow }
  - { name: closed, match: { syscall: fs.read, path_glob: [secret/] }, action: deny }
extensions:
  - { name: judge, entry: judge.ts, sha256: "${'a'.repeat(64)}", match: { syscall: fs.read, path_glob: [src/, secret/] } }
`);
const requestFor = (path: string): PolicyRequest => ({
  syscall: 'fs.read',
  path,
  state: 'idle',
  mode: 'strict',
  tags: [],
});

/** Extensions that deny what ends in `.key`. */
function servicesWith(now: () => CompiledPolicy = () => policy) {
  const ask = vi.fn((_policy: CompiledPolicy, { path }: PolicyRequest): Promise<readonly ExtensionResult[]> => {
    const action = path?.endsWith('.key') === true ? 'deny' : 'pass';
    return Promise.resolve([{ kind: 'answered', name: 'judge', action }]);
  });
  return { policy: now, clock: standingClock().clock, extensions: { ask }, ask };
}

describe('a request', () => {
  test.each([
    ['that an extension is for', 'src/a.ts', 'allow', 1],
    ['that it denies', 'src/a.key', 'deny', 1],
    ['that it is not for', 'lib/a.key', 'allow', 0],
    ['that another layer denies', 'secret/a.ts', 'deny', 0],
  ])('%s', async (_title, path, decision, asked) => {
    const services = servicesWith();
    expect((await askPolicy(services, requestFor(path))).decision).toBe(decision);
    expect(services.ask).toHaveBeenCalledTimes(asked);
  });

  test('is decided to its end by the policy that was in force when it began', async () => {
    const denying = policyOf('capabilities: [{ name: none, match: { syscall: fs.read }, action: deny }]');
    const policies = [policy, denying];
    const services = servicesWith(() => policies.shift() ?? denying);
    expect((await askPolicy(services, requestFor('src/a.ts'))).decision).toBe('allow');
  });
});

describe('work that wants to know of paths in its middle', () => {
  test('gets the answer of the extension for each, and what it found before is thrown away', async () => {
    const services = servicesWith();
    const paths = ['src/a.ts', 'src/a.key', 'lib/a.key', 'secret/a.ts'];
    const results: string[][] = [];
    const kept = await withAllowedPaths(services, requestFor, (allowed) => {
      const found = paths.filter(allowed);
      results.push(found);
      return found;
    });
    expect(kept).toEqual(['src/a.ts', 'lib/a.key']);
    expect(results).toHaveLength(2);
    expect(services.ask).toHaveBeenCalledTimes(2);
  });

  test('goes on as long as it comes upon paths that it has not asked about', async () => {
    const services = servicesWith();
    const paths = ['src/1.key', 'src/2.key', 'src/3.ts'];
    const first = await withAllowedPaths(services, requestFor, (allowed) => paths.find(allowed));
    expect(first).toBe('src/3.ts');
    expect(services.ask).toHaveBeenCalledTimes(3);
  });

  test('is done by one policy: answers of the one before are asked for again', async () => {
    const closing = policyOf(`capabilities:
  - { name: reads, match: { syscall: fs.read }, action: allow }
  - { name: closed, match: { syscall: fs.read, path_glob: [src/] }, action: deny }
`);
    let now = policy;
    const services = servicesWith(() => now);
    services.ask.mockImplementation(() => {
      now = closing;
      return Promise.resolve([{ kind: 'answered', name: 'judge', action: 'pass' }]);
    });
    const paths = ['src/a.ts', 'secret/a.ts'];
    expect(await withAllowedPaths(services, requestFor, (allowed) => paths.filter(allowed))).toEqual(['secret/a.ts']);
  });

  test('is done once, and asks nobody, where no extension is concerned', async () => {
    const services = servicesWith();
    const work = vi.fn((allowed: (path: string) => boolean) => allowed('lib/a.ts'));
    expect(await withAllowedPaths(services, requestFor, work)).toBe(true);
    expect(work).toHaveBeenCalledTimes(1);
    expect(services.ask).not.toHaveBeenCalled();
  });

  test('fails as it fails', async () => {
    const work = () => Promise.reject(new Error('no disk'));
    await expect(withAllowedPaths(servicesWith(), requestFor, work)).rejects.toThrow('no disk');
  });
});
