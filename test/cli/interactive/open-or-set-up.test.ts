import { describe, expect, it } from 'vitest';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import { openOrSetUp } from '../../../src/cli/interactive/open-or-set-up.ts';

const failure = (code: string) => new FluffyError({ code, what: 'w', why: 'y', fix: 'f', exitCode: 2 });

/** Fails so until a set-up has come through. */
function session(code: string, outcome: boolean) {
  let ready = false;
  return {
    open: () => (ready ? Promise.resolve('opened') : Promise.reject(failure(code))),
    setUp: () => {
      ready = outcome;
      return Promise.resolve(outcome);
    },
  };
}

describe('a session without a key', () => {
  it.each([
    [true, 'opened'],
    [false, null],
  ])('with a set-up that ends with %j is %j', async (outcome, opened) => {
    const { open, setUp } = session('provider_key_missing', outcome);
    expect(await openOrSetUp(open, setUp)).toBe(opened);
  });

  it('is an error where there can be no set-up', async () => {
    const { open } = session('provider_key_missing', true);
    await expect(openOrSetUp(open, null)).rejects.toThrow(expect.objectContaining({ code: 'provider_key_missing' }));
  });

  it('is not set up for another fault', async () => {
    const { open, setUp } = session('config_invalid', true);
    await expect(openOrSetUp(open, setUp)).rejects.toThrow(expect.objectContaining({ code: 'config_invalid' }));
  });
});
