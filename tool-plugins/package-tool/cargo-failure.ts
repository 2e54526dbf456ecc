import type { PackageFailure } from '../../src/contracts/sandbox/package-managers.ts';
import type { PackageReport, PackageRequest } from '../../src/contracts/sandbox/package-managers.ts';
import type { ProgramEnd } from './run-program.ts';

/** In this order: a lost connection is also reported as a crate that could not be found. */
const SIGNS: readonly (readonly [sign: RegExp, failure: PackageFailure])[] = [
  [/failed to verify the checksum|checksum for .* (?:changed|could not be calculated|was not previously)/, 'integrity'],
  [/--locked was passed|lock file .* needs to be updated/, 'out_of_step'],
  [/failed to unpack|invalid tarball/, 'unsafe_archive'],
  [
    /timed? ?out|Timeout|Connection refused|[Cc]ould not (?:connect|resolve)|spurious network error|CONNECT tunnel|SSL|got 50\d|Bad Gateway/,
    'unreachable',
  ],
  [
    /could not be found in registry index|no matching package|failed to select a version|could not find.*crate/,
    'not_found',
  ],
];

/** What cargo's output says of why it failed. */
export function explainCargo({ output }: ProgramEnd, request: PackageRequest): PackageReport {
  const failure = SIGNS.find(([sign]) => sign.test(output))?.[1] ?? 'other';
  const said = errorsOf(output);
  if (failure !== 'not_found' || request.kind === 'install') return { kind: 'failed', failure, message: said };
  const { name, version } = request;
  return { kind: 'failed', failure, message: version === undefined ? name : `${name} ${version}` };
}

function errorsOf(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const first = lines.findIndex((line) => line.startsWith('error'));
  return lines
    .slice(first === -1 ? -12 : first)
    .slice(0, 12)
    .join('\n')
    .slice(0, 4_000);
}
