import * as assertExports from 'node:assert';
import * as strictExports from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import * as testExports from 'node:test';
import type { TestContext } from 'node:test';

const { ownKeys, defineProperty, getOwnPropertyDescriptor: describe, getPrototypeOf } = Reflect;
const DEPTH = 3;

type Falsehood = () => unknown;
type Assertions = Pick<typeof assertExports, 'ok' | 'equal' | 'strictEqual' | 'deepEqual' | 'deepStrictEqual'> &
  Pick<typeof assertExports, 'notStrictEqual' | 'throws' | 'match' | 'rejects'>;

interface Pristine {
  readonly owner: object;
  readonly key: PropertyKey;
  readonly member: PropertyDescriptor;
}

/**
 * Watches what a test of node:test asserts with and is run by, from before any other code runs: the members of node:test, node:assert and
 * node:assert/strict, and the prototypes of mocks and of the stream of results.
 *
 * Properties are watched as they are set, not only compared at the end: a stub that is removed in time, or that only ESM's named exports still hold
 * (`syncBuiltinESMExports`), would not be seen there.
 */
export class NodeWatch {
  readonly #pristine: Pristine[] = [];
  readonly #seen = new Set<unknown>();
  readonly #AssertionError = assertExports.AssertionError;
  #replaced: string | null = null;

  constructor() {
    for (const owner of [testExports.default, assertExports.default, strictExports.default]) this.#guard(owner);
    this.#guardRegister();
    const { mock } = testExports;
    for (const each of [testExports, assertExports, strictExports]) this.remember(each);
    for (const each of [mock, mock.fn().mock, this.#AssertionError.prototype])
      this.remember(getPrototypeOf(each) ?? each);
    this.remember(this.#AssertionError.prototype);
  }

  /** From now on nothing of it may become another thing. */
  remember(owner: unknown, depth = 0): void {
    const isObject = typeof owner === 'function' || (typeof owner === 'object' && owner !== null);
    if (!isObject || this.#seen.has(owner) || depth > DEPTH) return;
    this.#seen.add(owner);
    for (const key of ownKeys(owner)) {
      const member = describe(owner, key);
      // How long the traces of errors are is up to the project.
      if (member === undefined || (owner === Error && key === 'stackTraceLimit')) continue;
      this.#pristine.push({ owner, key, member });
      this.remember(member.value, depth + 1);
    }
  }

  /** What was replaced, or which assertion passes on what is false; null: all is as it was. `t` is the context of a test. */
  async changed(t: TestContext): Promise<string | null> {
    for (let at = 0; at < this.#pristine.length && this.#replaced === null; at += 1) {
      const { owner, key, member } = this.#pristine[at] as Pristine;
      const now = describe(owner, key);
      if (now?.value !== member.value || now?.get !== member.get || now?.set !== member.set)
        this.#replaced = String(key);
    }
    if (this.#replaced !== null) return this.#replaced;
    const own = 'assert' in t ? [t.assert] : [];
    const ways = [assertExports.default, assertExports, strictExports.default, strictExports, ...own];
    for (let at = 0; at < ways.length; at += 1) {
      const found = await this.#passesOnFalse(ways[at] as unknown as Assertions);
      if (found !== null) return found;
    }
    return null;
  }

  isAssertion(error: unknown): boolean {
    return error instanceof this.#AssertionError;
  }

  async #passesOnFalse(way: Assertions): Promise<string | null> {
    const one = randomInt(1, 2 ** 40);
    const other = one + randomInt(1, 2 ** 7);
    const falsehoods: readonly (readonly [string, Falsehood])[] = [
      ['ok', () => way.ok(false)],
      ['equal', () => way.equal(one, other)],
      ['strictEqual', () => way.strictEqual(one, other)],
      ['deepEqual', () => way.deepEqual({ a: one }, { a: other })],
      ['deepStrictEqual', () => way.deepStrictEqual([one], [other])],
      ['notStrictEqual', () => way.notStrictEqual(one, one)],
      ['throws', () => way.throws(() => undefined)],
      ['match', () => way.match(String(one), /[a-z]/)],
      ['rejects', () => way.rejects(() => Promise.resolve())],
    ];
    for (let at = 0; at < falsehoods.length; at += 1) {
      const [name, falsehood] = falsehoods[at] as (typeof falsehoods)[number];
      let error: unknown = null;
      try {
        await falsehood();
      } catch (thrown) {
        error = thrown;
      }
      if (!this.isAssertion(error)) return name;
    }
    return null;
  }

  #guard(owner: object): void {
    for (const key of ownKeys(owner)) {
      const found = describe(owner, key);
      if (found?.configurable !== true || found.writable !== true || key === 'name' || key === 'length') continue;
      const get = () => found.value as unknown;
      const set = () => {
        this.#replaced = String(key);
      };
      defineProperty(owner, key, { get, set, enumerable: found.enumerable === true, configurable: false });
    }
  }

  /** `assert.register` may add an assertion to `t.assert`, not replace one. */
  #guardRegister(): void {
    const { assert: registry } = testExports.default as unknown as { assert?: { register: unknown } };
    // An older Node has none.
    if (registry === undefined) return;
    const register = registry.register as (name: string, fn: unknown) => void;
    const taken = new Set([...ownKeys(assertExports.default), 'snapshot', 'fileSnapshot']);
    registry.register = (name: string, fn: unknown) => {
      if (taken.has(name)) this.#replaced = `t.assert.${name}`;
      register(name, fn);
    };
  }
}
