import type { PackageGrant } from '../../../src/contracts/sandbox/package-managers.ts';

/** The user's settings of Go, as far as they count here. */
export interface GoSettings {
  readonly proxies: readonly {
    /** Without a slash at its end. */
    readonly url: string;
    /** Between it and the next one. */
    readonly separator: string;
  }[];
  /** Who confirms modules that go.sum does not know; null: the user has switched it off. */
  readonly database: {
    readonly name: string;
    /** Its name, with its key where Go does not know that. */
    readonly key: string;
    readonly address: string | null;
  } | null;
  /** Patterns of modules that the database is not asked about. */
  readonly notOfDatabase: string;
  /** Patterns of modules whose names are sent to no proxy. */
  readonly notOfProxies: string;
}

export function readGoSettings({ settings }: Pick<PackageGrant, 'settings'>): GoSettings {
  const values = new Map(settings.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  const proxies = [...(values.get('GOPROXY') ?? '').matchAll(/([^,|]+)([,|]?)/g)];
  const [key = '', address = null] = (values.get('GOSUMDB') ?? '').trim().split(/\s+/);
  return {
    proxies: proxies.map(([, url = '', separator = '']) => ({ url: url.replace(/\/+$/, ''), separator })),
    database: key === '' || key === 'off' ? null : { name: key.split('+')[0] ?? '', key, address },
    notOfDatabase: values.get('GONOSUMDB') ?? '',
    notOfProxies: values.get('GONOPROXY') ?? '',
  };
}
