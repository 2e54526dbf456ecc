import { readFile } from 'node:fs/promises';
import type { OpenServiceSockets } from '../../../contracts/ports/host-services.ts';
import type { UserDirs } from '../../../contracts/host-layout.ts';
import { packageManagerOf } from '../../../contracts/sandbox/sandbox-programs.ts';
import { openPackageSockets } from '../../../host/packages/package-sockets.ts';
import { openTestNetwork } from '../../../host/test-network/open-test-network.ts';
import {
  findEndpoint,
  openProviderSockets,
  providerEndpoints,
  secretServiceKeyring,
  withBaseUrl,
  type ServiceSocketEvent,
  type ProviderEndpoint,
} from '../../../host/secrets/index.ts';
import { groupRules } from '../group-rules.ts';
import type { HostSettings } from '../supervisor-options.ts';

export interface HostSockets {
  readonly openSockets: OpenServiceSockets;
  /** `host:port` that each provider's sandbox can reach, for the kernel's records. */
  readonly providerHosts: Record<string, string[]>;
}

/**
 * The service sockets of this user: the endpoint and key of each provider program, and the hosts of a networked test. `env` is the user's own,
 * `hostsFile` the /etc/hosts of sandboxes.
 *
 * @throws FluffyError `base_url_refused`, `provider_name_reserved`, `unknown_provider`
 */
export function hostSockets(
  user: UserDirs,
  settings: HostSettings,
  env: Readonly<Record<string, string | undefined>>,
  log: (event: ServiceSocketEvent) => void,
  hostsFile: string,
): HostSockets {
  const endpoints = new Map(providerEndpoints(settings.providers, env));
  for (const [name, baseUrl] of Object.entries(settings.base_urls ?? {})) {
    endpoints.set(name, withBaseUrl(findEndpoint(endpoints, name), baseUrl));
  }
  const keys = { env, keysDirectory: user.keys, keyring: secretServiceKeyring(env) };
  const openSockets: OpenServiceSockets = async ({ program, directory, networkGroups, provider }) => {
    const manager = packageManagerOf(program);
    if (manager !== null) {
      const installScripts = settings.install_scripts;
      const more = Object.hasOwn(settings.network_groups, manager) ? groupRules([manager], settings) : [];
      return openPackageSockets({
        directory,
        manager,
        installScripts,
        more,
        reservedAddresses: settings.reserved_addresses === true,
        env,
        log,
      });
    }
    if (program === 'network') {
      const other = networkGroups.find((name) => settings.test_groups?.includes(name) !== true);
      if (other !== undefined) throw new Error(`tests of this project have no network group ${other}`);
      const rules = groupRules(networkGroups, settings, 'private');
      const services = Object.keys(settings.services ?? {});
      return openTestNetwork({ directory, rules, services, hosts: await readFile(hostsFile, 'utf8'), log });
    }
    const endpoint = findEndpoint(endpoints, provider ?? program.replace(/^provider:/, ''));
    if (program !== `provider:${endpoint.program}`) throw new Error(`${endpoint.name} is not served by ${program}`);
    return openProviderSockets({ directory, endpoint, keys, log });
  };
  return { openSockets, providerHosts: Object.fromEntries([...endpoints].map(([name, at]) => [name, [hostOf(at)]])) };
}

function hostOf({ baseUrl }: ProviderEndpoint): string {
  return `${baseUrl.rule.host}:${baseUrl.rule.port}`;
}
