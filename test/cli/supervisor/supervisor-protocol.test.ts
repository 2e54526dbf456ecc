import { expect, test } from 'vitest';
import { BootstrapError } from '../../../src/bootstrap/bootstrap-error.ts';
import { asFluffyError, fromWire, toWire } from '../../../src/cli/supervisor/supervisor-protocol.ts';
import { EXIT } from '../../../src/contracts/exit-codes.ts';
import { FluffyError } from '../../../src/contracts/fluffy-error.ts';

const SENTENCES = { what: 'what', why: 'why', fix: 'fix' };

test.each<readonly [string, unknown, object]>([
  [
    'an error with sentences of its own as it is',
    new FluffyError({ code: 'images_missing', ...SENTENCES, exitCode: EXIT.noRuntime }),
    { code: 'images_missing', ...SENTENCES, exitCode: EXIT.noRuntime },
  ],
  [
    'an error of the start with its sentences',
    new BootstrapError('engine_missing', 'why', 'fix'),
    { code: 'engine_missing', why: 'why', fix: 'fix', exitCode: EXIT.noRuntime },
  ],
  ['a full disk as that', Object.assign(new Error('write'), { code: 'ENOSPC' }), { code: 'disk_full' }],
  [
    'anything else as a failure of the supervisor',
    new Error('it broke'),
    { code: 'supervisor_failed', why: 'it broke', exitCode: EXIT.kernelCrashed },
  ],
  ['what is no error as its text', 'it broke', { code: 'supervisor_failed', why: 'it broke' }],
])('the supervisor reports %s', (_what, error, expected) => {
  const reported = asFluffyError(error);
  expect(reported).toMatchObject(expected);
  expect(fromWire(toWire(reported))).toMatchObject(expected);
});
