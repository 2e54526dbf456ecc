import { beforeAll, describe, expect, it, test } from 'vitest';
import { kernelError } from '../../../src/cli/kernel-client/kernel-error.ts';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';
import { RpcFailure } from '../../../src/ipc/index.ts';
import { errorForWire } from '../../../src/ipc/rpc-failure.ts';
import { readErrorCodes } from '../../support/source/error-codes.ts';
import type { FoundCode } from '../../support/source/error-codes.ts';
import { REPOSITORY, sourceFiles } from '../../support/source/source-files.ts';
import { join } from 'node:path';

/** As it comes out of the socket. */
function overTheWire(error: FluffyError): FluffyError {
  const { code, message } = errorForWire(error);
  return kernelError(RpcFailure.refused(code, message));
}

describe("the kernel's own error", () => {
  it('is shown as it is, and not as the reason of another one', () => {
    const sent = new FluffyError({
      code: 'session_not_found',
      what: 'There is no session s_x',
      why: 'this project has no session with that name\nin its database',
      fix: 'Run `fluffy session list`',
      exitCode: 2,
    });
    const { code, what, why, fix, exitCode } = overTheWire(sent);
    expect({ code, what, why, fix, exitCode }).toEqual({
      code: sent.code,
      what: sent.what,
      why: sent.why,
      fix: sent.fix,
      exitCode: 2,
    });
  });

  it.each([
    [RpcFailure.refused('internal', 'the request failed'), 'kernel_refused', 1, 'internal: the request failed'],
    [new RpcFailure({ kind: 'timed-out', afterMs: 5 }), 'kernel_lost', 7, 'no answer within 5 ms'],
    [new RpcFailure({ kind: 'too-many-requests' }), 'kernel_refused', 1, 'too many requests'],
  ])('%s', (failure, code, exitCode, why) => {
    expect(kernelError(failure)).toMatchObject({ code, exitCode, why: expect.stringContaining(why) as unknown });
  });
});

describe('exit codes of what the kernel sends', () => {
  let found: readonly FoundCode[];
  beforeAll(() => {
    const kernel = sourceFiles().filter(
      ({ path }) => path.startsWith('src/kernel/serve/') || path.startsWith('src/kernel/session/'),
    );
    found = readErrorCodes(kernel.map(({ path }) => join(REPOSITORY, path))).codes.filter(
      ({ exitCodes }) => exitCodes.length === 1,
    );
  }, 120_000);

  test('are those that it was made with', () => {
    expect(found.map(({ code }) => code)).toContain('session_not_found');
    for (const { code, exitCodes } of found) {
      const sent = new FluffyError({ code, what: 'a', why: 'b', fix: 'c', exitCode: exitCodes[0] as 1 });
      expect([code, overTheWire(sent).exitCode]).toEqual([code, exitCodes[0]]);
    }
  });
});
