import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * The kind of network of an address. `special`: no ordinary destination, such as metadata services, link-local, multicast, tunnels that contain an
 * IPv4 address, unspecified. `reserved`: unused in every network, for documentation and benchmarks; a local proxy's DNS returns such addresses in
 * place of the real ones.
 */
export type AddressClass = 'public' | 'private' | 'loopback' | 'reserved' | 'special';

type Family = 'ipv4' | 'ipv6';
type Ranges = Readonly<Record<Family, BlockList>>;

const LOOPBACK = ranges(['127.0.0.0', 8], ['::1', 128]);

/** Reachable only inside a private network; overlay networks use 100.64/10. */
const PRIVATE = ranges(['10.0.0.0', 8], ['100.64.0.0', 10], ['172.16.0.0', 12], ['192.168.0.0', 16], ['fc00::', 7]);

const RESERVED = ranges(
  ['192.0.2.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['2001:db8::', 32],
  ['3fff::', 20],
);

/** The first five are metadata and platform services at otherwise ordinary addresses. */
const SPECIAL = ranges(
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.192', 32],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.88.99.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['2001::', 23],
  ['2002::', 16],
);

const GLOBAL_IPV6 = ranges(['2000::', 3]);
const NAT64 = ranges(['64:ff9b::', 96]);

/** `address` as a resolver returns it. Text that is no address is `special`. */
export function addressClass(address: string): AddressClass {
  if (isIPv4(address)) return classOf(address, 'ipv4');
  if (!isIPv6(address) || address.includes('%')) return 'special';
  if (within(NAT64, address, 'ipv6')) return classOf(embeddedIpv4(address), 'ipv4');
  const found = classOf(address, 'ipv6');
  return found === 'public' && !within(GLOBAL_IPV6, address, 'ipv6') ? 'special' : found;
}

function classOf(address: string, family: Family): AddressClass {
  if (within(SPECIAL, address, family)) return 'special';
  if (within(LOOPBACK, address, family)) return 'loopback';
  if (within(RESERVED, address, family)) return 'reserved';
  return within(PRIVATE, address, family) ? 'private' : 'public';
}

function within(ranges: Ranges, address: string, family: Family): boolean {
  return ranges[family].check(address, family);
}

/** One list per family: an IPv4 range in a mixed list would also match the mapped form of its addresses, which must stay `special`. */
function ranges(...subnets: readonly (readonly [network: string, prefix: number])[]): Ranges {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const [network, prefix] of subnets) {
    const family = isIPv4(network) ? 'ipv4' : 'ipv6';
    lists[family].addSubnet(network, prefix, family);
  }
  return lists;
}

/** The last 32 bits of a NAT64 address are its IPv4 address. */
function embeddedIpv4(address: string): string {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const groups = canonical.slice('64:ff9b::'.length).split(':');
  const [high, low] = [groups.at(-2), groups.at(-1)].map((group) => parseInt(group || '0', 16));
  return [high ?? 0, low ?? 0].flatMap((group) => [group >> 8, group & 255]).join('.');
}
