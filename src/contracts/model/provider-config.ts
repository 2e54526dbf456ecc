import { z } from 'zod';
import { PROVIDER_WIRES } from './providers.ts';

/**
 * Model providers in the user's own configuration (`providers.<name>`), and what the host passes to a provider program. A project's files cannot
 * change either.
 */

/** The part before the slash in `provider/model`. */
export const providerNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,39}$/, 'expected lower-case letters, digits and hyphens');

export const userProviderSchema = z.strictObject({
  kind: z.literal('openai-compatible'),
  /** With its path, usually ending in `/v1`. Plain http is allowed only for the loopback. */
  base_url: z.string().min(1).max(2_000),
  /** `env:VARIABLE`, or the name of a key stored by `fluffy config set-key NAME`. Absent: the endpoint needs no key. */
  api_key_ref: z
    .string()
    .regex(
      /^(?:env:[A-Za-z_][A-Za-z0-9_]{0,99}|[a-z][a-z0-9-]{0,39})$/,
      'expected env:VARIABLE or the name of a stored key',
    )
    .optional(),
});

/** A shorter key is a placeholder for a server that accepts any key. Removing it from every message would remove letters from words. */
export const SHORTEST_SECRET = 8;

export const userProvidersSchema = z.record(providerNameSchema, userProviderSchema);

/**
 * What a provider program reads from its secret socket, as one JSON text up to the end of the stream. It is the program's whole configuration: its
 * environment and its arguments are equal for every user. `extra_ca` is PEM, certificates only.
 */
export const providerGrantSchema = z.strictObject({
  wire: z.enum(PROVIDER_WIRES),
  base_url: z.string(),
  api_key: z.string().nullable(),
  extra_ca: z.array(z.string()),
});

export type UserProviders = z.infer<typeof userProvidersSchema>;
export type ProviderGrant = z.infer<typeof providerGrantSchema>;
