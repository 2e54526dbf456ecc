import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServiceSockets } from '../../contracts/ports/host-services.ts';
import { HOSTS_FILE, ROUTES_FILE } from '../../contracts/sandbox/test-network.ts';
import type { EgressEvent, HostRule } from '../egress-gate/index.ts';
import { openEgressSocket } from '../secrets/provider-sockets.ts';
import { hostsText, planRoutes } from './plan-routes.ts';

export interface TestNetworkOptions {
  /** Exists on the host only, for one `network` sandbox. It must exist. */
  readonly directory: string;
  /** Rules of the groups that the run may use; empty: only its services. */
  readonly rules: readonly HostRule[];
  /** Names of the project's services. */
  readonly services: readonly string[];
  /** The /etc/hosts of every sandbox. */
  readonly hosts: string;
  readonly log: (event: EgressEvent) => void;
}

/** Opens the gate of one test run, and writes how its hosts are reached. If it rejects, nothing stays open. */
export async function openTestNetwork(options: TestNetworkOptions): Promise<ServiceSockets> {
  const { directory, rules, services, hosts, log } = options;
  const { routes, names } = planRoutes(rules, services);
  await writeFile(join(directory, ROUTES_FILE), JSON.stringify(routes), { flag: 'wx' });
  await writeFile(join(directory, HOSTS_FILE), hostsText(hosts, names), { flag: 'wx' });
  return openEgressSocket(directory, rules, log);
}
