import type { PackageFailure } from '../../../src/contracts/sandbox/package-managers.ts';
import type { PackageReport, PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import type { ProgramEnd } from '../run-program.ts';

/** In this order: a lost connection is also reported as a crate that could not be found. */
const SIGNS: readonly (readonly [sign: RegExp, failure: PackageFailure])[] = [
  [/failed to verify the checksum|checksum for .* (?:changed|could not be calculated|was not previously)/, 'integrity'],
  [/--locked was passed|lock file .* needs to be updated/, 'out_of_step'],
  [/failed to unpack|invalid tarball/, 'unsafe_archive'],
  [/failed to find .* in path source/, 'impostor'],
  [
    /timed? ?out|Timeout|Connection refused|[Cc]ould not (?:connect|resolve)|spurious network error|CONNECT tunnel|SSL|got 50\d|Bad Gateway/,
    'unreachable',
  ],
  [
    /could not be found in registry index|no matching package|failed to select a version|could not find.*crate|is yanked/,
    'not_found',
  ],
];

/** Advice of cargo to its own user, and words about cargo itself. */
const ADVICE =
  /^\s*(?:help:|If you want to try to generate|note: (?:this is an unexpected|we would appreciate|cargo \d))/;

/** What cargo's output says of why it failed. */
export function explainCargo({ output }: ProgramEnd, request: PackageRequest): PackageReport {
  const failure = SIGNS.find(([sign]) => sign.test(output))?.[1] ?? 'other';
  const said = errorsOf(output);
  if (failure === 'impostor') {
    const crate = /failed to find (\S+ v\S+)/.exec(output)?.[1] ?? 'a crate';
    return { kind: 'failed', failure, message: `the archive of ${crate} has another crate in it` };
  }
  const [, silent, seconds] = /failed to download any data for `([^`]+)` within (\d+)s/.exec(output) ?? [];
  if (failure === 'unreachable' && silent !== undefined)
    return { kind: 'failed', failure, message: `asked twice for ${silent}, it sent nothing within ${seconds ?? ''} s` };
  if (failure !== 'not_found' || request.kind === 'install') return { kind: 'failed', failure, message: said };
  const { name, version } = request;
  const named = version === undefined ? name : `${name} ${version}`;
  // cargo says of what is yanked only that it is not there.
  const yanked = /could not be found in registry index/.test(output) ? ', or it is yanked' : '';
  return { kind: 'failed', failure, message: `${named}${yanked} (${said})`.slice(0, 4_000) };
}

function errorsOf(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !ADVICE.test(line));
  const first = lines.findIndex((line) => line.startsWith('error'));
  return lines
    .slice(first === -1 ? -12 : first)
    .slice(0, 12)
    .join('\n')
    .slice(0, 4_000);
}
