import { parse } from 'smol-toml';
import { z } from 'zod';
import { normalName } from './requirements.ts';

/** A package of a Python lockfile, whichever program wrote it. */
export interface LockedPython {
  readonly name: string;
  readonly version: string;
  /** Condition under which it is installed; null: always, or as the package that requires it says. */
  readonly marker: string | null;
  /** `sha256:…` of each of its archives; any of these archives may be installed. */
  readonly hashes: readonly string[];
  /** Where it comes from; null for an index. */
  readonly elsewhere: string | null;
}

export type PythonLockOutcome =
  | { readonly kind: 'lock'; readonly packages: readonly LockedPython[] }
  | { readonly kind: 'unreadable'; readonly why: string };

export type PythonLockReader = (text: string) => PythonLockOutcome;

const HASH = /^sha(?:256|384|512):[0-9a-f]{64,128}$/;

const uvSchema = z.looseObject({
  version: z.literal(1),
  package: z
    .array(
      z.looseObject({
        name: z.string(),
        version: z.string().optional(),
        source: z.record(z.string(), z.unknown()),
        'resolution-markers': z.array(z.string()).default([]),
        sdist: z.looseObject({ hash: z.string().optional() }).optional(),
        wheels: z.array(z.looseObject({ hash: z.string().optional() })).default([]),
      }),
    )
    .default([]),
});

/** Reads uv.lock; the project itself does not count as a package. Pure. */
export const readUvLock: PythonLockReader = (text) => {
  const read = readToml(text, uvSchema, 'a uv.lock of version 1');
  if ('why' in read) return read;
  const packages = read.value.package.flatMap((each): LockedPython[] => {
    const { name, version = '', source, sdist, wheels, 'resolution-markers': markers } = each;
    if (source['virtual'] === '.' || source['editable'] === '.') return [];
    const marker = markers.length === 0 ? null : markers.map((one) => `(${one})`).join(' or ');
    const hashes = [...wheels, ...(sdist === undefined ? [] : [sdist])].flatMap(({ hash = '' }) => hash);
    const elsewhere = 'registry' in source ? null : Object.entries(source).map(([kind, at]) => `${kind} ${String(at)}`);
    return [lockedOf({ name, version, marker, hashes, elsewhere: elsewhere?.join(', ') ?? null })];
  });
  return { kind: 'lock', packages };
};

const pdmSchema = z.looseObject({
  metadata: z.looseObject({ lock_version: z.string().startsWith('4.') }),
  package: z
    .array(
      z.looseObject({
        name: z.string(),
        version: z.string().optional(),
        marker: z.string().optional(),
        files: z.array(z.looseObject({ hash: z.string().optional() })).default([]),
        path: z.string().optional(),
        git: z.string().optional(),
        url: z.string().optional(),
      }),
    )
    .default([]),
});

/** Reads pdm.lock; the project itself does not count as a package. Pure. */
export const readPdmLock: PythonLockReader = (text) => {
  const read = readToml(text, pdmSchema, 'a pdm.lock of version 4');
  if ('why' in read) return read;
  const packages = read.value.package.flatMap((each): LockedPython[] => {
    const { name, version = '', marker = null, files, path } = each;
    if (path === '.') return [];
    const kind = (['path', 'git', 'url'] as const).find((one) => each[one] !== undefined);
    const elsewhere = kind === undefined ? null : `${kind} ${each[kind] ?? ''}`;
    return [lockedOf({ name, version, marker, hashes: files.flatMap(({ hash = '' }) => hash), elsewhere })];
  });
  return { kind: 'lock', packages };
};

const archive = z.looseObject({ hashes: z.record(z.string(), z.string()).default({}) });
const pylockSchema = z.looseObject({
  'lock-version': z.string().startsWith('1.'),
  packages: z.array(
    z.looseObject({
      name: z.string(),
      version: z.string().optional(),
      marker: z.string().optional(),
      sdist: archive.optional(),
      wheels: z.array(archive).default([]),
      directory: z.looseObject({ path: z.string() }).optional(),
      vcs: z.unknown().optional(),
      archive: z.unknown().optional(),
    }),
  ),
});

/** Reads pylock.toml, the standard format (PEP 751); the project itself does not count as a package. Pure. */
export const readPylock: PythonLockReader = (text) => {
  const read = readToml(text, pylockSchema, 'a pylock.toml of version 1');
  if ('why' in read) return read;
  const packages = read.value.packages.flatMap((each): LockedPython[] => {
    const { name, version = '', marker = null, sdist, wheels, directory } = each;
    if (directory?.path === '.') return [];
    const hashes = [...wheels, ...(sdist === undefined ? [] : [sdist])].flatMap((one) =>
      Object.entries(one.hashes).map(([algorithm, digest]) => `${algorithm}:${digest}`),
    );
    const kind = (['directory', 'vcs', 'archive'] as const).find((one) => each[one] !== undefined);
    return [lockedOf({ name, version, marker, hashes, elsewhere: kind ?? null })];
  });
  return { kind: 'lock', packages };
};

function lockedOf(read: LockedPython): LockedPython {
  const hashes = [...new Set(read.hashes.filter((each) => HASH.test(each)))].sort();
  return { ...read, name: normalName(read.name), hashes };
}

function readToml<T>(
  text: string,
  schema: z.ZodType<T>,
  what: string,
): { readonly value: T } | Extract<PythonLockOutcome, { kind: 'unreadable' }> {
  try {
    const parsed = schema.safeParse(parse(text));
    return parsed.success ? { value: parsed.data } : { kind: 'unreadable', why: `it is not ${what}` };
  } catch {
    return { kind: 'unreadable', why: 'it is no TOML' };
  }
}
