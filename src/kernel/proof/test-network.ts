import type { RunNetwork, TestJob } from '../../contracts/ports/sandboxes.ts';
import { PROXY_PORT } from '../../contracts/sandbox/test-network.ts';
import type { TestNetwork } from '../../contracts/sandbox/test-network.ts';
import type { Snapshot } from '../../contracts/session/session-snapshot.ts';

type Configured = { readonly test_network?: TestNetwork | undefined };
type Allowed = Snapshot['test_network'];

/**
 * Pure: returns the network that a call of test.run may use. Every run has the services. A call has the hosts only if
 * it requested them and that was allowed.
 */
export function allowedNetwork({ test_network: network }: Configured, withHosts: boolean): Allowed {
  if (network === undefined) return null;
  const services = network.services.map(({ name, image }) => (image === null ? name : `${name} (${image})`));
  const groups = withHosts ? Object.keys(network.groups) : [];
  const hosts = groups.flatMap((name) => network.groups[name] ?? []);
  return services.length === 0 && hosts.length === 0 ? null : { services, groups, hosts };
}

/** Pure: returns the services and host groups of one run; undefined if it has none. */
export function runNetwork({ test_network: network }: Configured, allowed: Allowed): RunNetwork | undefined {
  const groups = allowed?.groups ?? [];
  if (network === undefined || (network.services.length === 0 && groups.length === 0)) return undefined;
  return { services: network.services, groups };
}

/**
 * Pure: adds the variables that the user's configuration gives to the tests, and the proxy variables if a host is
 * reached through the proxy.
 */
export function withNetwork(job: TestJob, { test_network: network }: Configured, allowed: Allowed): TestJob {
  if (network === undefined) return job;
  const proxied = network.proxy && (allowed?.hosts ?? []).length > 0;
  return { ...job, env: { ...job.env, ...(proxied ? proxyVariables(network) : {}), ...network.variables } };
}

function proxyVariables({ services }: TestNetwork): Record<string, string> {
  const url = `http://127.0.0.1:${PROXY_PORT}`;
  const direct = ['localhost', '127.0.0.1', ...services.map(({ name }) => name)].join(',');
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    http_proxy: url,
    https_proxy: url,
    NO_PROXY: direct,
    no_proxy: direct,
    NODE_USE_ENV_PROXY: '1',
  };
}
