import { parseJson } from '../parse-json.ts';

/** The package manager in `packageManager` of a package.json, read like corepack does. */
export type NamedProgram =
  | { readonly kind: 'absent' }
  | { readonly kind: 'named'; readonly name: string; readonly version: string; readonly digest: ProgramDigest | null }
  | { readonly kind: 'unusable'; readonly why: string };

/** Digest of the program's archive. */
export interface ProgramDigest {
  readonly algorithm: 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512';
  readonly hex: string;
}

const NAMED = /^([a-z]+)@(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?:\+(sha1|sha224|sha256|sha384|sha512)\.([0-9a-f]+))?$/;

export function readNamedProgram(manifest: string): NamedProgram {
  const parsed = parseJson(manifest);
  const text: unknown =
    typeof parsed === 'object' && parsed !== null && 'packageManager' in parsed ? parsed.packageManager : undefined;
  if (text === undefined) return { kind: 'absent' };
  const [, name, version, algorithm, hex] = NAMED.exec(typeof text === 'string' ? text : '') ?? [];
  if (name === undefined || version === undefined)
    return {
      kind: 'unusable',
      why: `packageManager of package.json is ${JSON.stringify(text).slice(0, 120)}: it has to be a name and an exact version (pnpm@10.2.0), with a digest or without; an address is not fetched`,
    };
  const digest =
    algorithm === undefined || hex === undefined ? null : { algorithm: algorithm as ProgramDigest['algorithm'], hex };
  return { kind: 'named', name, version, digest };
}
