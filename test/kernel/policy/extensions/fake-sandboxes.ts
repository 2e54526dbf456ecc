import type {
  EvaluateAnswer,
  ExtensionAnswer,
  ExtensionRequest,
  LoadRequest,
} from '../../../../src/contracts/policy-extension.ts';
import type { PolicySandbox, PolicySandboxes } from '../../../../src/contracts/ports/policy-sandboxes.ts';

/** What one extension of the fake does with a request. */
export type Rule = (request: ExtensionRequest) => ExtensionAnswer | { readonly failure: string };

/** Sandboxes in memory, whose extensions are played by functions. What is asked of them, and what became of them, can be looked at. */
export class FakeSandboxes implements PolicySandboxes {
  readonly made: FakeSandbox[] = [];
  rules: Readonly<Record<string, Rule>> = {};
  /** How the next ones go wrong. */
  refusing: string | null = null;
  misloading: 'throws' | 'refuses' | 'other' | null = null;
  /** Holds up the next ones. */
  starting: Promise<void> = Promise.resolve();
  /** Instead of what the rules say. */
  answer: ((answer: EvaluateAnswer) => EvaluateAnswer | Promise<EvaluateAnswer>) | null = null;

  async policy(): Promise<PolicySandbox> {
    if (this.refusing !== null) throw new Error(this.refusing);
    const sandbox = new FakeSandbox(this);
    this.made.push(sandbox);
    await this.starting;
    return sandbox;
  }

  get living(): number {
    return this.made.filter(({ closedWith }) => closedWith === null).length;
  }
}

class FakeSandbox implements PolicySandbox {
  readonly id = 'x_fake0000' as never;
  readonly ended: Promise<string>;
  readonly asked: ExtensionRequest[] = [];
  /** Within how many milliseconds each answer was wanted. */
  readonly limitsMs: number[] = [];
  warmUps = 0;
  closedWith: { readonly failure: string | undefined } | null = null;
  readonly #world: FakeSandboxes;
  readonly #end = Promise.withResolvers<string>();

  constructor(world: FakeSandboxes) {
    this.#world = world;
    this.ended = this.#end.promise;
  }

  die(why: string): void {
    this.#end.resolve(why);
  }

  load({ extensions }: LoadRequest) {
    const { misloading } = this.#world;
    if (misloading === 'throws') return Promise.reject(new Error('no answer within 10000 ms'));
    const failure = misloading === 'refuses' ? 'SyntaxError' : null;
    const loaded = extensions.map(({ name }) => ({ name: misloading === 'other' ? 'another' : name, failure }));
    return Promise.resolve({ extensions: loaded });
  }

  async evaluate(request: ExtensionRequest, names: readonly string[], limitMs: number): Promise<EvaluateAnswer> {
    if (this.closedWith !== null) throw new Error('it is closed');
    if (request.syscall === 'policy.warm_up') this.warmUps += 1;
    else {
      this.asked.push(request);
      this.limitsMs.push(limitMs);
    }
    const answers = names.map((name) => {
      const said = this.#world.rules[name]?.(request) ?? { decision: 'pass' as const };
      return 'failure' in said
        ? { kind: 'failed' as const, name, failure: said.failure }
        : { kind: 'answered' as const, name, answer: said };
    });
    const changed = request.syscall === 'policy.warm_up' ? null : this.#world.answer;
    return changed === null ? { answers } : changed({ answers });
  }

  close(failure?: string): Promise<void> {
    this.closedWith ??= { failure };
    return Promise.resolve();
  }
}
