import type { TestNetwork } from '../../contracts/sandbox/test-network.ts';
import { parseHostRule } from '../../host/egress-gate/index.ts';
import { planRoutes } from '../../host/test-network/plan-routes.ts';
import type { Service } from '../../host/test-network/service.ts';
import { ownValue } from '../../lib/own-value.ts';
import { groupRules } from '../supervisor/group-rules.ts';
import type { HostSettings } from '../supervisor/supervisor-options.ts';

/** The parts of the user's configuration that define it. */
interface Declared {
  readonly services: Readonly<Record<string, Service>>;
  readonly network_groups: Readonly<Record<string, readonly string[]>>;
  readonly test?:
    | {
        readonly networks?:
          | readonly {
              readonly project: string;
              readonly groups: string[];
              readonly services: readonly string[];
              readonly variables: Record<string, string>;
            }[]
          | undefined;
      }
    | undefined;
}

export interface ConfigFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Faults in the networks that a user gives to tests. Pure. */
export function networkFaults({ services, network_groups: groups, test }: Declared): ConfigFault[] {
  return (test?.networks ?? []).flatMap((network, index) => {
    const at = (key: string, place: number, message: string): ConfigFault => ({
      path: ['test', 'networks', index, key, place],
      message,
    });
    const ofGroups = network.groups.flatMap((name, place) => {
      const rules = ownValue(groups, name);
      if (rules === undefined) return [at('groups', place, `there is no network_groups.${name}`)];
      return rules.flatMap((rule) => {
        const parsed = parseHostRule(rule);
        return parsed.kind === 'invalid'
          ? [at('groups', place, `network_groups.${name}: ${rule}: ${parsed.reason}`)]
          : [];
      });
    });
    const ports = new Map<number, string>();
    const ofServices = network.services.flatMap((name, place) => {
      const service = ownValue(services, name);
      if (service === undefined) return [at('services', place, `there is no services.${name}`)];
      const other = ports.get(service.port);
      ports.set(service.port, name);
      return other === undefined ? [] : [at('services', place, `${name} and ${other} both listen on ${service.port}`)];
    });
    return [...ofGroups, ...ofServices];
  });
}

/** What the host needs to know about the network of a project's tests. A project's own files have no influence. */
export function testNetworkSettings(
  config: Declared,
  projectRoot: string,
): Pick<HostSettings, 'services' | 'test_groups' | 'test_variables'> {
  const found = config.test?.networks?.find(({ project }) => project === projectRoot);
  if (found === undefined) return {};
  const services = found.services.flatMap((name): [string, Service][] => {
    const service = config.services[name];
    return service === undefined ? [] : [[name, service]];
  });
  return { services: Object.fromEntries(services), test_groups: found.groups, test_variables: found.variables };
}

/** The same for the kernel: names, ports and hosts. Commands stay on the host. */
export function kernelTestNetwork(
  settings: Pick<HostSettings, 'services' | 'test_groups' | 'test_variables' | 'network_groups'>,
): TestNetwork | null {
  const { services = {}, test_groups: groups = [], test_variables: variables = {}, network_groups: rules } = settings;
  if (Object.keys(services).length === 0 && groups.length === 0) return null;
  return {
    services: Object.entries(services).map(([name, { port, image, id }]) => ({
      name,
      port,
      image: image === undefined ? null : `${image} ${id ?? ''}`,
    })),
    groups: Object.fromEntries(groups.map((name) => [name, rules[name] ?? []])),
    proxy: planRoutes(groupRules(groups, settings), []).routes.proxy,
    variables,
  };
}
