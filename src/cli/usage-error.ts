import { EXIT } from '../contracts/exit-codes.ts';
import { FluffyError } from '../contracts/fluffy-error.ts';

/** A command line, or a line of input, that cannot be used: exit 2. */
export function usage(why: string, fix = 'See fluffy --help'): FluffyError {
  return new FluffyError({
    code: 'usage',
    what: 'The command line cannot be used',
    why,
    fix,
    exitCode: EXIT.usage,
  });
}
