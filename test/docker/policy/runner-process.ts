/**
 * Extensions as the kernel runs them, in a process of its own that runs as the project's owner. Driven over the channel of `fork`: every request
 * is {id, call, …} and every answer {id, result}; lifecycle events and failures come unasked.
 */
import { createHash } from 'node:crypto';
import type { ExtensionResult, PolicyRequest } from '../../../src/contracts/policy.ts';
import { ExtensionRunner, decide, loadPolicy, withSources } from '../../../src/kernel/policy/index.ts';
import type { CompiledPolicy } from '../../../src/kernel/policy/index.ts';
import { systemClock } from '../../../src/platform/system/clock.ts';
import { managerAsOwner } from '../sandbox/owned-manager.ts';
import type { OwnerSetup } from '../sandbox/owned-manager.ts';

export type RunnerRequest =
  /** By name, the text of each. */
  | { readonly call: 'follow'; readonly extensions: Readonly<Record<string, string>> }
  | { readonly call: 'ask'; readonly request: PolicyRequest };

/** `decision` is that of a policy whose YAML allows every fs.write, and nothing else. */
export interface Asked {
  readonly results: readonly ExtensionResult[];
  readonly decision: string;
  readonly reasons: readonly string[];
}

serve(JSON.parse(process.argv[2] ?? '') as OwnerSetup);

function serve(setup: OwnerSetup): void {
  const manager = managerAsOwner(setup);
  const onFailure = (why: string): void => void process.send?.({ failure: why });
  const runner = new ExtensionRunner({ sandboxes: manager, clock: systemClock, onFailure });
  let policy: CompiledPolicy;

  const perform = async (request: RunnerRequest): Promise<unknown> => {
    switch (request.call) {
      case 'follow':
        policy = await policyOf(request.extensions);
        runner.follow(policy.extensions);
        await runner.settled();
        return null;
      case 'ask': {
        const inForce = policy;
        const results = await runner.ask(inForce, request.request);
        const { decision, reasons } = decide(inForce, request.request, {
          nowMonotonicMs: 0,
          extensionResults: results,
        });
        return { results, decision, reasons } satisfies Asked;
      }
    }
  };
  process.on('message', (message: RunnerRequest & { id: number }) => {
    perform(message).then(
      (result) => process.send?.({ id: message.id, result }),
      (error: unknown) => process.send?.({ id: message.id, error: String(error) }),
    );
  });
  process.send?.({ ready: true });
}

async function policyOf(texts: Readonly<Record<string, string>>): Promise<CompiledPolicy> {
  const extensions = Object.entries(texts).map(([name, text]) => ({
    name,
    entry: `${name}.ts`,
    sha256: createHash('sha256').update(text).digest('hex'),
  }));
  const capabilities = [{ name: 'writes', match: { syscall: 'fs.write' }, action: 'allow' }];
  const loaded = loadPolicy(JSON.stringify({ capabilities, extensions }), 'policy.yaml');
  if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.errors));
  const read = (entry: string) => Promise.resolve({ kind: 'text' as const, text: texts[entry.slice(0, -3)] ?? '' });
  const whole = await withSources(loaded.policy, read, { file: 'policy.yaml', locate: loaded.locate });
  if (whole.kind === 'invalid') throw new Error(JSON.stringify(whole.errors));
  return whole.policy;
}
