import { z } from 'zod';

/**
 * What the user's configuration gives to the tests of one project outside their sandbox: services on its loopback, and hosts behind the egress gate.
 */

/** Also a host name: tests connect to the service by it. */
export const serviceNameSchema = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z0-9-]*$/, 'lower-case letters, digits and hyphens');

/** Port of the proxy for hosts without an address of their own: those of a rule with `*`. */
export const PROXY_PORT = 33128;

/**
 * The files in which the `network` program finds its routes, and tests the names of hosts. The host writes both into the directory of the egress
 * socket.
 */
export const ROUTES_FILE = 'routes.json';
export const HOSTS_FILE = 'hosts';

/** Loopback addresses that lead to single hosts, like addresses of their own. */
export const routesSchema = z.strictObject({
  routes: z.array(z.strictObject({ address: z.string(), port: z.number().int(), target: z.string() })),
  /** Whether the proxy is needed. */
  proxy: z.boolean(),
});
export type Routes = z.infer<typeof routesSchema>;

/** Request to the `network` program. It answers when all services accept connections, or with those that did not in time. */
export const NETWORK_READY = 'network.ready';
export const networkReadySchema = z.strictObject({
  ports: z.array(z.number().int().positive().max(65_535)),
  within_ms: z.number().int().positive(),
});
export const networkReadyAnswerSchema = z.strictObject({ missing: z.array(z.number().int()) });

/** What the kernel knows about it: names, and what people and models are shown. */
export const testNetworkSchema = z.strictObject({
  services: z.array(
    z.strictObject({
      name: serviceNameSchema,
      port: z.number().int().positive().max(65_535),
      /** The user's image, by name and id; null: a program of this machine. */
      image: z.string().nullable(),
    }),
  ),
  /** Names of network groups, with their `host:port` rules. Only runs that a person or the policy allowed get them. */
  groups: z.record(z.string(), z.array(z.string())),
  /** Whether one of their hosts has no address of its own, so that clients need the proxy. It agrees with the routes that the host plans. */
  proxy: z.boolean(),
  /** Variables that the tests get. */
  variables: z.record(z.string(), z.string()),
});
export type TestNetwork = z.infer<typeof testNetworkSchema>;
