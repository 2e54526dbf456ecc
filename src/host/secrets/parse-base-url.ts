import { EXIT } from '../../contracts/exit-codes.ts';
import { FluffyError } from '../../contracts/fluffy-error.ts';
import type { HostRule } from '../egress-gate/host-rule.ts';
import { parseHost } from '../egress-gate/parse-host.ts';
import { vetHost } from '../egress-gate/vet-addresses.ts';

export interface BaseUrl {
  /** Without a trailing slash. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
  /** The only destination that this URL allows. */
  readonly rule: HostRule;
}

/**
 * Reads an endpoint that the user named, and what the egress gate must allow for it: exactly that host and port. `source` names the setting in
 * errors. Throws FluffyError `base_url_refused`.
 */
export function parseBaseUrl(text: string, source: string, reach: HostRule['reach'] = 'private'): BaseUrl {
  const refuse = (why: string, fix: string): FluffyError =>
    new FluffyError({
      code: 'base_url_refused',
      what: `${source} cannot be used as the address of a model`,
      why,
      fix,
      exitCode: EXIT.usage,
    });
  const match = /^(https?):\/\/([^/?#\\]+)(\/[^?#\\\s]*)?$/i.exec(text);
  if (match === null || !URL.canParse(text)) {
    throw refuse('it is not an http or https URL without query', 'Write it like https://models.example.com/v1');
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') {
    throw refuse('it carries a user name or password', 'Store the key with fluffy config set-key instead');
  }
  // The URL parser reads 0x7f.1 as an address; here the text that the user wrote counts.
  const written = parseHost((match[2] ?? '').replace(/:\d*$/, ''));
  if (written.kind === 'refused')
    throw refuse(`its host has ${written.reason}`, 'Write the plain host name or address');
  const tls = url.protocol === 'https:';
  const vetted = vetHost(written.host);
  const loopback = vetted.kind === 'connect' && vetted.loopback;
  if (!tls && !loopback) {
    throw refuse(
      'http would send the key and the project unencrypted over the network',
      'Use https; plain http is for 127.0.0.1, [::1] and localhost',
    );
  }
  const port = url.port === '' ? (tls ? 443 : 80) : Number(url.port);
  if (port === 0) throw refuse('port 0 is not valid', 'Name the port that the server listens on');
  return {
    url: `${url.protocol}//${url.host}${url.pathname}`.replace(/\/+$/, ''),
    host: written.host,
    port,
    tls,
    rule: { host: written.host, port, reach },
  };
}
