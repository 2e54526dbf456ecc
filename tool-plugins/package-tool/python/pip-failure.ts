import type { PackageFailure, PackageReport } from '../../../src/contracts/sandbox/package-managers.ts';
import type { PackageWork } from '../package-work.ts';
import type { ProgramEnd } from '../run-program.ts';

/** In this order: after a connection that did not come about, pip says as well that it has found nothing. */
const SIGNS: readonly (readonly [sign: RegExp, failure: PackageFailure])[] = [
  [
    /Retrying \(|timed out|ConnectionError|ProxyError|Max retries|SSLError|Connection (?:reset|aborted|broken)/i,
    'unreachable',
  ],
  [/DO NOT MATCH THE HASHES/, 'integrity'],
  [/outside the target directory/i, 'unsafe_archive'],
  [/--require-hashes mode|Hashes are required/, 'out_of_step'],
  [/No matching distribution found|Could not find a version/, 'not_found'],
];

/** What pip's output says of why it failed. Where it lost a connection, that it has found nothing means nothing. */
export function explainPip(
  { output }: ProgramEnd,
  { job: { request }, hasLostConnections }: Pick<PackageWork, 'job' | 'hasLostConnections'>,
): PackageReport {
  const sign = SIGNS.find(([each]) => each.test(output))?.[1] ?? 'other';
  const failure = sign === 'not_found' && hasLostConnections() ? 'unreachable' : sign;
  const said = errorsOf(output);
  if (failure !== 'not_found' || request.kind === 'install') return answer(failure, said);
  const { name, version } = request;
  const wanted = version === undefined ? name : `${name} ${version}`;
  return answer(
    failure,
    `${wanted}, or none of its versions has a wheel for this Python (archives of sources are not built)`,
  );
}

function answer(failure: PackageFailure, message: string): PackageReport {
  return { kind: 'failed', failure, message: message.slice(0, 4_000) };
}

function errorsOf(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const first = lines.findIndex((line) => line.startsWith('ERROR:'));
  return lines
    .slice(first === -1 ? -12 : first)
    .slice(0, 12)
    .join('\n');
}
