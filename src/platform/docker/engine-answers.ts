import { z } from 'zod';
import { LABELS } from '../../contracts/sandbox/guard-api.ts';
import { sandboxIdSchema } from '../../contracts/ids.ts';
import type {
  ContainerId,
  ContainerInspection,
  OwnedContainer,
  OwnedVolume,
} from '../../contracts/ports/container-runtime.ts';

/** The engine's answers, as the guard forwards them, in the kernel's terms. Unknown fields are ignored. */

const containerIdSchema = z.string().regex(/^[0-9a-f]{64}$/);
const strings = z
  .array(z.string())
  .nullish()
  .transform((list) => [...(list ?? [])].sort());
const count = z
  .number()
  .nullish()
  .transform((value) => value ?? 0);
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const flag = z
  .boolean()
  .nullish()
  .transform((value) => value ?? false);
const labels = z
  .record(z.string(), z.string())
  .nullish()
  .transform((value) => value ?? {});

const createdSchema = z.looseObject({ id: containerIdSchema });
const imagesSchema = z.array(z.looseObject({ name: z.string(), id: z.string() }));
/** An object of the client library, not the engine's answer. */
const volumeCreatedSchema = z.looseObject({ name: z.string() });
const exitSchema = z.looseObject({ StatusCode: z.number().int() });

const inspectionSchema = z.looseObject({
  State: z.looseObject({
    Status: z.string(),
    Running: z.boolean(),
    OOMKilled: flag,
    ExitCode: z.number().int(),
  }),
  Config: z.looseObject({
    User: text,
    Entrypoint: z
      .array(z.string())
      .nullish()
      .transform((list) => list ?? []),
    Cmd: z
      .array(z.string())
      .nullish()
      .transform((list) => list ?? []),
  }),
  HostConfig: z.looseObject({
    NetworkMode: text,
    IpcMode: text,
    PidMode: text,
    UTSMode: text,
    CgroupnsMode: text,
    UsernsMode: text,
    Privileged: flag,
    ReadonlyRootfs: flag,
    CapAdd: strings,
    CapDrop: strings,
    SecurityOpt: strings,
    Devices: z.array(z.unknown()).nullish(),
    DeviceRequests: z.array(z.unknown()).nullish(),
    Memory: count,
    NanoCpus: count,
    PidsLimit: count,
    Ulimits: z.array(z.looseObject({ Name: z.string(), Soft: z.number(), Hard: z.number() })).nullish(),
  }),
  Mounts: z
    .array(z.looseObject({ Type: z.string(), Destination: z.string(), RW: z.boolean() }))
    .nullish()
    .transform((list) => list ?? []),
  NetworkSettings: z.looseObject({ Networks: strings }).nullish(),
});

const containersSchema = z.array(z.looseObject({ Id: containerIdSchema, State: text, Labels: labels }));
const volumesSchema = z.looseObject({
  Volumes: z.array(z.looseObject({ Name: z.string(), Labels: labels })).nullish(),
});

export function parseCreated(answer: unknown): ContainerId {
  return asContainerId(createdSchema.parse(answer).id);
}

export function parseImages(answer: unknown): { name: string; id: string }[] {
  return imagesSchema.parse(answer).map(({ name, id }) => ({ name, id }));
}

export function parseVolumeCreated(answer: unknown): string {
  return volumeCreatedSchema.parse(answer).name;
}

export function parseExit(answer: unknown): number {
  return exitSchema.parse(answer).StatusCode;
}

export function parseInspection(answer: unknown): ContainerInspection {
  const { State, Config, HostConfig, Mounts, NetworkSettings } = inspectionSchema.parse(answer);
  const fileSize = HostConfig.Ulimits?.find((limit) => limit.Name === 'fsize');
  return {
    state: {
      status: State.Status,
      running: State.Running,
      outOfMemory: State.OOMKilled,
      exitCode: State.ExitCode,
    },
    settings: {
      user: Config.User,
      entrypoint: [...Config.Entrypoint, ...Config.Cmd],
      networkMode: HostConfig.NetworkMode,
      networks: NetworkSettings?.Networks ?? [],
      ipcMode: HostConfig.IpcMode,
      pidMode: HostConfig.PidMode,
      utsMode: HostConfig.UTSMode,
      cgroupnsMode: HostConfig.CgroupnsMode,
      usernsMode: HostConfig.UsernsMode,
      privileged: HostConfig.Privileged,
      readonlyRootfs: HostConfig.ReadonlyRootfs,
      capAdd: HostConfig.CapAdd,
      capDrop: HostConfig.CapDrop,
      securityOptions: HostConfig.SecurityOpt,
      devices: (HostConfig.Devices?.length ?? 0) + (HostConfig.DeviceRequests?.length ?? 0),
      memoryBytes: HostConfig.Memory,
      cpus: HostConfig.NanoCpus / 1e9,
      pids: HostConfig.PidsLimit,
      fileSizeBytes: fileSize === undefined ? null : Math.max(fileSize.Soft, fileSize.Hard),
      mounts: Mounts.map((mount) => ({
        kind: mount.Type,
        destination: mount.Destination,
        writable: mount.RW,
      })).sort((a, b) => (a.destination < b.destination ? -1 : 1)),
    },
  };
}

export function parseContainers(answer: unknown): OwnedContainer[] {
  return containersSchema.parse(answer).flatMap(({ Id, State, Labels }) => {
    const sandbox = sandboxIdSchema.safeParse(Labels[LABELS.sandbox]);
    return sandbox.success ? [{ id: asContainerId(Id), sandbox: sandbox.data, running: State === 'running' }] : [];
  });
}

export function parseVolumes(answer: unknown): OwnedVolume[] {
  return (volumesSchema.parse(answer).Volumes ?? []).flatMap(({ Name, Labels }) => {
    const sandbox = sandboxIdSchema.safeParse(Labels[LABELS.sandbox]);
    return sandbox.success ? [{ name: Name, sandbox: sandbox.data }] : [];
  });
}

function asContainerId(id: string): ContainerId {
  return id as ContainerId;
}
