import { addressClass } from './address-class.ts';
import type { AddressClass } from './address-class.ts';
import type { HostRule } from './host-rule.ts';
import { parseHost } from './parse-host.ts';

const REACHED: Readonly<Record<HostRule['reach'], readonly AddressClass[]>> = {
  public: ['public'],
  private: ['public', 'private'],
  reserved: ['public', 'private', 'reserved'],
};

/** The addresses at which an allowed host may be reached. */
export type Vetting =
  | { readonly kind: 'connect'; readonly addresses: readonly string[]; readonly loopback: boolean }
  | { readonly kind: 'resolve' }
  | { readonly kind: 'refused'; readonly reason: string };

/** Decides what is possible without the resolver: an address is itself, and the resolver does not define `localhost`. */
export function vetHost(host: string): Vetting {
  if (host === 'localhost') return { kind: 'connect', addresses: ['127.0.0.1', '::1'], loopback: true };
  if (parseHost(host).kind === 'name') return { kind: 'resolve' };
  return { kind: 'connect', addresses: [host], loopback: addressClass(host) === 'loopback' };
}

/**
 * Judges the resolver's answers for a name. One bad answer refuses all of them: a private address among the answers of a public name prepares an
 * attack by the second connection.
 */
export function vetAnswers(rule: HostRule, answers: readonly string[]): Vetting {
  if (answers.length === 0) return { kind: 'refused', reason: 'the name has no address' };
  const permitted: readonly AddressClass[] = REACHED[rule.reach];
  const bad = answers.find((answer) => !permitted.includes(addressClass(answer)));
  if (bad !== undefined) return { kind: 'refused', reason: `the name leads to ${bad}, a ${addressClass(bad)} address` };
  return { kind: 'connect', addresses: answers, loopback: false };
}
