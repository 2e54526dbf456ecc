import type { Routes } from '../../contracts/sandbox/test-network.ts';
import type { HostRule } from '../egress-gate/index.ts';
import { addressClass } from '../egress-gate/address-class.ts';
import { parseHost } from '../egress-gate/parse-host.ts';

export interface PlannedNetwork {
  readonly routes: Routes;
  /** Names and their addresses, for the /etc/hosts of the sandboxes that share the loopback. */
  readonly names: readonly (readonly [address: string, name: string])[];
}

/** Further single hosts use the proxy. */
const MAX_ADDRESSES = 250;

/**
 * How tests reach the hosts of their rules. A named host gets a loopback address of its own, so that every client reaches it by its usual name and
 * port. A host of the user's own loopback is at 127.0.0.1, as outside. Names with `*` and other addresses need the proxy. Pure.
 */
export function planRoutes(rules: readonly HostRule[], services: readonly string[]): PlannedNetwork {
  const addresses = new Map<string, string>();
  const routes: Routes['routes'] = [];
  let proxy = false;
  for (const { host, port } of rules) {
    const address = isLoopback(host) ? '127.0.0.1' : addressOf(host, addresses);
    if (address === null) proxy = true;
    else if (!routes.some((route) => route.address === address && route.port === port))
      routes.push({ address, port, target: `${host}:${port}` });
  }
  const names = [...addresses].map(([name, address]) => [address, name] as const);
  return { routes: { routes, proxy }, names: [...services.map((name) => ['127.0.0.1', name] as const), ...names] };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || (parseHost(host).kind === 'ipv4' && addressClass(host) === 'loopback');
}

function addressOf(host: string, addresses: Map<string, string>): string | null {
  if (host.startsWith('*.') || parseHost(host).kind !== 'name') return null;
  const known = addresses.get(host);
  if (known !== undefined) return known;
  if (addresses.size >= MAX_ADDRESSES) return null;
  const address = `127.1.0.${addresses.size + 1}`;
  addresses.set(host, address);
  return address;
}

/** The text of the /etc/hosts: the text for every sandbox, followed by these names. Pure. */
export function hostsText(base: string, names: PlannedNetwork['names']): string {
  return [base.trimEnd(), ...names.map(([address, name]) => `${address}\t${name}`), ''].join('\n');
}
