import { z } from 'zod';

/**
 * Identifiers. Each is opaque, unguessable if it names a socket or a directory, and safe as one path component: only `[a-z0-9_]`, never a dot, a
 * slash or a leading dash.
 */
const id = <B extends string>(prefix: string, brand: B) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[a-z0-9]{8,40}$`), `expected an id like ${prefix}_…`)
    .brand(brand);

export const sessionIdSchema = id('s', 'SessionId');
export const sandboxIdSchema = id('x', 'SandboxId');
export const reviewIdSchema = id('r', 'ReviewId');

export type SessionId = z.infer<typeof sessionIdSchema>;
export type SandboxId = z.infer<typeof sandboxIdSchema>;
export type ReviewId = z.infer<typeof reviewIdSchema>;

/** 64 lower-case hexadecimal digits. */
export const sha256Schema = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .brand('Sha256');
export type Sha256 = z.infer<typeof sha256Schema>;

/** A git object id: 40 (sha1) or 64 (sha256) lower-case hexadecimal digits. */
export const objectIdSchema = z
  .string()
  .regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)
  .brand('ObjectId');
export type ObjectId = z.infer<typeof objectIdSchema>;

/** A normalised, resolved, project-relative path: no leading slash, no `.`/`..` components, NFC; '' is the project root. */
export type ProjectPath = string & { readonly __brand: 'ProjectPath' };
