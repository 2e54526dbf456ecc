import type { OpenServiceSockets } from '../../contracts/ports/host-services.ts';
import type { UserDirs } from '../../contracts/host-layout.ts';
import { packageManagerOf } from '../../contracts/sandbox/sandbox-programs.ts';
import { openPackageSockets } from '../../host/packages/package-sockets.ts';
import { parseHostRule, type HostRule } from '../../host/egress-gate/host-rule.ts';
import {
  findEndpoint,
  openEgressSocket,
  openProviderSockets,
  providerEndpoints,
  secretServiceKeyring,
  withBaseUrl,
  type ServiceSocketEvent,
  type ProviderEndpoint,
} from '../../host/secrets/index.ts';
import type { HostSettings } from './supervisor-options.ts';

export interface HostSockets {
  readonly openSockets: OpenServiceSockets;
  /** `host:port` that each provider's sandbox can reach, for the kernel's records. */
  readonly providerHosts: Record<string, string[]>;
}

/**
 * The service sockets of this user: which endpoint and key a provider program gets, and which hosts a networked test. `env` is the user's own.
 *
 * @throws FluffyError `base_url_refused`, `provider_name_reserved`, `unknown_provider`
 */
export function hostSockets(
  user: UserDirs,
  settings: HostSettings,
  env: Readonly<Record<string, string | undefined>>,
  log: (event: ServiceSocketEvent) => void,
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
    if (program === 'test') return openEgressSocket(directory, groupRules(networkGroups, settings), log);
    const endpoint = findEndpoint(endpoints, provider ?? program.replace(/^provider:/, ''));
    if (program !== `provider:${endpoint.program}`) throw new Error(`${endpoint.name} is not served by ${program}`);
    return openProviderSockets({ directory, endpoint, keys, log });
  };
  return { openSockets, providerHosts: Object.fromEntries([...endpoints].map(([name, at]) => [name, [hostOf(at)]])) };
}

function hostOf({ baseUrl }: ProviderEndpoint): string {
  return `${baseUrl.rule.host}:${baseUrl.rule.port}`;
}

/** What L1 named counts only as far as the host's own configuration knows it. */
function groupRules(names: readonly string[], settings: HostSettings): HostRule[] {
  return names.flatMap((name) => {
    const rules = Object.hasOwn(settings.network_groups, name) ? settings.network_groups[name] : undefined;
    if (rules === undefined) throw new Error(`there is no network group ${name}`);
    return rules.map((text) => {
      const parsed = parseHostRule(text);
      if (parsed.kind === 'invalid') throw new Error(`network group ${name}: ${text}: ${parsed.reason}`);
      return parsed.rule;
    });
  });
}
