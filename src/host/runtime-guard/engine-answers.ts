import { homedir } from 'node:os';
import { z } from 'zod';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { GuardFailure } from '../../contracts/sandbox/guard-api.ts';
import { LABELS } from '../../contracts/sandbox/guard-api.ts';
import type { GuardContext } from './guard-context.ts';
import { SECCOMP_PROFILES } from '../../contracts/sandbox/sandbox-templates.ts';

/** The part of the engine's answers that L1 may see: states, settings and Fluffy's labels, never a path or a process id of the host. */

const labelsSchema = z.record(z.string(), z.string()).nullish();

/** The part of an inspect answer that shows its owner. */
export const ownedSchema = z.looseObject({ Config: z.looseObject({ Labels: labelsSchema }) });

export const containerListSchema = z.array(
  z.looseObject({ Id: z.string(), State: z.string().optional(), Labels: labelsSchema }),
);
export const volumeSchema = z.looseObject({ Name: z.string(), Labels: labelsSchema });
export const volumeListSchema = z.looseObject({ Volumes: z.array(volumeSchema).nullish() });
export const createdSchema = z.looseObject({ Id: z.string().regex(/^[0-9a-f]{64}$/) });

const pick = <T extends readonly string[]>(value: Record<string, unknown>, names: T): Record<string, unknown> =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(value, name)).map((name) => [name, value[name]]));

const object = z.looseObject({});
const inspectSchema = z.looseObject({
  Id: z.string(),
  Created: z.string().optional(),
  Image: z.string(),
  AppArmorProfile: z.string().optional(),
  State: object,
  Config: z.looseObject({ Labels: labelsSchema }),
  HostConfig: z.looseObject({ SecurityOpt: z.array(z.string()).nullish() }),
  Mounts: z.array(object).nullish(),
  NetworkSettings: z.looseObject({ Networks: z.record(z.string(), z.unknown()).nullish() }).nullish(),
});

const STATE = ['Status', 'Running', 'Paused', 'Restarting', 'OOMKilled', 'Dead', 'ExitCode', 'StartedAt', 'FinishedAt'];
const CONFIG = ['User', 'Env', 'Cmd', 'Entrypoint', 'WorkingDir', 'Tty', 'OpenStdin'];
const HOST_CONFIG = [
  'NetworkMode',
  'IpcMode',
  'PidMode',
  'UTSMode',
  'UsernsMode',
  'CgroupnsMode',
  'Privileged',
  'ReadonlyRootfs',
  'CapAdd',
  'CapDrop',
  'Devices',
  'DeviceRequests',
  'Memory',
  'MemorySwap',
  'NanoCpus',
  'PidsLimit',
  'Ulimits',
  'Tmpfs',
  'Runtime',
  'MaskedPaths',
  'ReadonlyPaths',
];

export function filterInspect(raw: unknown, context: GuardContext): Record<string, unknown> {
  const found = inspectSchema.parse(raw);
  return {
    ...pick(found, ['Id', 'Created', 'Image', 'AppArmorProfile']),
    State: pick(found.State, STATE),
    Config: { ...pick(found.Config, CONFIG), Labels: ownLabelsOf(found.Config.Labels) },
    HostConfig: {
      ...pick(found.HostConfig, HOST_CONFIG),
      SecurityOpt: (found.HostConfig.SecurityOpt ?? []).map((option) => shortSecurityOption(option, context)),
    },
    Mounts: (found.Mounts ?? []).map((mount) => pick(mount, ['Type', 'Destination', 'RW', 'Propagation'])),
    NetworkSettings: { Networks: Object.keys(found.NetworkSettings?.Networks ?? {}) },
  };
}

/** `seccomp=<name>` for a profile that is byte for byte one of Fluffy's; any other is called foreign. */
function shortSecurityOption(option: string, context: GuardContext): string {
  if (!option.startsWith('seccomp=')) return option;
  const text = option.slice('seccomp='.length);
  return `seccomp=${SECCOMP_PROFILES.find((name) => context.seccomp[name] === text) ?? 'foreign'}`;
}

export function ownLabelsOf(labels: Readonly<Record<string, string>> | null | undefined): Record<string, string> {
  const known: readonly string[] = Object.values(LABELS);
  return Object.fromEntries(Object.entries(labels ?? {}).filter(([name]) => known.includes(name)));
}

/** The message in an engine's error answer. */
export function engineMessage(body: unknown): string {
  const parsed = z.looseObject({ message: z.string() }).safeParse(body);
  return parsed.success ? parsed.data.message : 'the engine gave no reason';
}

/** A message for L1: limited in length, without absolute paths. */
export function withoutPaths(message: string): string {
  return message.replace(/(^|[^\w/~])\/[^\s:"',;)]+/g, '$1<path>').slice(0, 300);
}

/** The answer to a call that failed. A person has to see which file of their home directory a FluffyError is about; L1 does not learn where that is. */
export function failureAnswer(error: unknown, home = homedir()): { readonly message: string } & Partial<GuardFailure> {
  if (!(error instanceof FluffyError)) return { message: 'the guard could not do this' };
  const shown = (text: string) => withoutPaths(text.replaceAll(`${home}/`, '~/'));
  const { code, exitCode } = error;
  const [what, why, fix] = [shown(error.what), shown(error.why), shown(error.fix)];
  return { message: `${what}: ${why}`, error: { code, what, why, fix, exit_code: exitCode } };
}
