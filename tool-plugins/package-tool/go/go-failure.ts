import type { PackageFailure, PackageReport, PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import type { GoSettings } from './go-settings.ts';
import type { ModuleProxy } from './module-proxy.ts';
import type { ProgramEnd } from '../run-program.ts';

type Failed = Extract<PackageReport, { kind: 'failed' }>;

/** In this order: what does not fit is also a module that could not be loaded. */
const SIGNS: readonly (readonly [sign: RegExp, failure: PackageFailure])[] = [
  [/SECURITY ERROR|checksum mismatch/, 'integrity'],
  [/missing go\.sum entry|updates to go\.(?:mod|sum) (?:needed|are needed)/, 'out_of_step'],
  [
    /zip: not a valid zip|malformed (?:file|import) path|invalid file name|unsafe zip|bad zip|zip file/i,
    'unsafe_archive',
  ],
  [/module declares its path as|does not match|path does not have prefix|unexpected (?:module|file)/, 'impostor'],
  [
    /404 Not Found|410 Gone|unknown revision|invalid version|no matching versions|not found|does not contain package|cannot find module/,
    'not_found',
  ],
];

/** What Go's output says of why it failed. */
export function explainGo(
  { output }: ProgramEnd,
  request: PackageRequest,
  proxy: Pick<ModuleProxy, 'failures' | 'withRealAddresses'>,
  { database }: Pick<GoSettings, 'database'>,
): Failed {
  const said = errorsOf(proxy.withRealAddresses(output));
  const failed = (failure: PackageFailure, message: string): Failed => ({
    kind: 'failed',
    failure,
    message: message.slice(0, 4_000),
  });
  const [lost] = proxy.failures;
  if (lost?.of === 'database' && /verifying/.test(output))
    return failed(
      lost.refused ? 'refused' : 'unreachable',
      `${lost.message}. The checksum database is needed: go.sum does not know this module, and nothing else confirms what the proxy sent`,
    );
  const module = /verifying ([^\s:]+).*\n?.*\/lookup\/\S+: 4\d\d/.exec(output)?.[1];
  if (module !== undefined)
    return failed(
      'other',
      `nothing confirms the content of ${module}: go.sum has no line for it, and the checksum database ${database?.name ?? ''} does not know it. If it is a module of the user's own company, the user must name it in GONOSUMDB (go env -w); do not do it yourself`,
    );
  const needs = /requires go >= (\S+) \(running go (\S+?)[;)]/.exec(output);
  if (needs !== null)
    return failed(
      'other',
      `${said}. No other Go is downloaded: ${needs[2] ?? ''} is the one of this machine. ${request.kind === 'add' ? 'Add an older version of the module, or ask' : 'Ask'} the user to install Go ${needs[1] ?? ''}`,
    );
  if (/GOVCS disallows|unrecognized vcs|direct/.test(output) && /GOVCS/.test(output))
    return failed('other', `${said}. Modules come only from a module proxy, never from their repository`);
  const failure = SIGNS.find(([sign]) => sign.test(output))?.[1] ?? 'other';
  if (lost !== undefined && failure !== 'integrity' && failure !== 'unsafe_archive')
    return failed(lost.refused ? 'refused' : 'unreachable', lost.message);
  if (failure !== 'not_found' || request.kind === 'install') return failed(failure, said);
  const named = request.version === undefined ? request.name : `${request.name}@${request.version}`;
  return failed(failure, `${named} (${said})`);
}

function errorsOf(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !/^go: downloading /.test(line));
  return lines.slice(-12).join('\n').slice(0, 3_000);
}
