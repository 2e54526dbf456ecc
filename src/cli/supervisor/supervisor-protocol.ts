import { z } from 'zod';
import { BootstrapError } from '../../bootstrap/bootstrap-error.ts';
import { EXIT, type ExitCode } from '../../contracts/exit-codes.ts';
import { diskFull, isDiskFull } from '../../lib/disk-full.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { ReplacedPlace } from '../../contracts/ports/host-services.ts';
import { messageOf } from '../../lib/text/message-of.ts';

/** The messages between the CLI and a project's supervisor, over `supervisor.sock`. Both belong to the same user. */

const codes: readonly number[] = Object.values(EXIT);
const errorSchema = z.strictObject({
  code: z.string(),
  what: z.string(),
  why: z.string(),
  fix: z.string(),
  exit_code: z.custom<ExitCode>((value) => typeof value === 'number' && codes.includes(value)),
});
export type WireError = z.infer<typeof errorSchema>;

export const attachParams = z.strictObject({ settings_digest: z.string() });
export const attachResult = z.discriminatedUnion('kind', [
  /** The kernel listens on `cli_socket`. The supervisor lives at least as long as the connection that attached. */
  z.strictObject({ kind: z.literal('attached'), cli_socket: z.string() }),
  z.strictObject({ kind: z.literal('failed'), error: errorSchema }),
  /** It runs with other settings; `busy` while a client is attached or a session runs. */
  z.strictObject({ kind: z.literal('other-settings'), busy: z.boolean() }),
  /** Another directory is now at the project's path. This supervisor ends; the next one works on the new directory. */
  z.strictObject({ kind: z.literal('replaced') }),
]);

/** Requested before `attach`: whether project or host have changed since the supervisor found its toolchains, and nobody uses it. */
export const toolchainsParams = z.strictObject({ stamp: z.string() });
export const toolchainsResult = z.strictObject({ kind: z.enum(['same', 'changed']) });

export const statusResult = z.strictObject({
  pid: z.number(),
  kernel: z.enum(['starting', 'running', 'failed']),
  engine_socket: z.string().nullable(),
  attached: z.number().int(),
  sessions: z.number().int().nullable(),
  restarts: z.number().int(),
});
export type SupervisorStatus = z.infer<typeof statusResult>;

/** Event `kernel.changed`, sent to all attached clients. */
export const kernelChange = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('crashed'), why: z.string() }),
  z.strictObject({ kind: z.literal('restarted') }),
  z.strictObject({ kind: z.literal('given-up'), error: errorSchema }),
]);
export type KernelChange = z.infer<typeof kernelChange>;

/** Lines on the starter's pipe, until the supervisor is listening or has failed. */
export const startReport = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('progress'), text: z.string() }),
  /** It serves, or another supervisor already does. */
  z.strictObject({ kind: z.literal('serving') }),
  z.strictObject({ kind: z.literal('failed'), error: errorSchema }),
]);
export type StartReport = z.infer<typeof startReport>;

export function toWire(error: FluffyError): WireError {
  const { code, what, why, fix, exitCode } = error;
  return { code, what, why, fix, exit_code: exitCode };
}

export function fromWire({ exit_code: exitCode, ...fields }: WireError): FluffyError {
  return new FluffyError({ ...fields, exitCode });
}

/** The kernel works on a directory to which its path no longer leads. */
export function placeReplaced({ what, why }: ReplacedPlace): FluffyError {
  if (what === 'state directory')
    return new FluffyError({
      code: 'state_replaced',
      what: "fluffy's state directory of this project was moved, deleted or replaced while it was in use",
      why,
      fix: 'restore it if you moved it; otherwise start fluffy again: sessions and audit log start empty, and uncommitted work is lost',
      exitCode: EXIT.failed,
    });
  return new FluffyError({
    code: 'project_replaced',
    what: "The project's directory was moved, deleted or replaced while fluffy worked on it",
    why,
    fix: 'start fluffy again, in the directory that you mean: nothing was written to another one, and sessions are kept',
    exitCode: EXIT.failed,
  });
}

/** Converts any error of the host's side into one for people. */
export function asFluffyError(error: unknown): FluffyError {
  if (error instanceof FluffyError) return error;
  if (error instanceof BootstrapError) {
    const { code, what, why, fix, exitCode } = error;
    return new FluffyError({ code, what, why, fix, exitCode, cause: error });
  }
  if (isDiskFull(error)) return diskFull('the state directory', error);
  return new FluffyError({
    code: 'supervisor_failed',
    what: "The project's supervisor failed",
    why: messageOf(error),
    fix: 'run `fluffy doctor`',
    exitCode: EXIT.kernelCrashed,
    cause: error,
  });
}
