import type { Glob } from '../../lib/globs/glob.ts';
import type { PolicyDocument } from './document/policy-schema.ts';

/** Says whether a list of the project's policy takes the place of the shipped one, by its path such as `review.sensitive_globs`. */
type Replaces = ReadonlySet<string>;

/**
 * The sections of a signed project policy on top of the shipped ones, key by key: figures and words of the project count, its lists are added. A list
 * takes the place of the shipped one only where it says so (`replacedLists`): nobody loses a shipped value by naming another.
 */
export function mergeSections(shipped: PolicyDocument, own: PolicyDocument, replaces: Replaces): PolicyDocument {
  const globs = (path: string, one: readonly Glob[] | undefined, other: readonly Glob[] | undefined) =>
    joined(replaces.has(path), one, other, ({ source }) => source);
  const { workspace, review, tdd_exemptions: exemptions, network_whitelist: hosts, sanitizer, scheduler } = own;
  return {
    ...shipped,
    ...(workspace === undefined ? {} : { workspace: { ...shipped.workspace, ...mergeWorkspace() } }),
    ...(review === undefined
      ? {}
      : {
          review: {
            ...shipped.review,
            ...review,
            ...present(
              'sensitive_globs',
              globs('review.sensitive_globs', shipped.review?.sensitive_globs, review.sensitive_globs),
            ),
          },
        }),
    ...(exemptions === undefined ? {} : { tdd_exemptions: mergeExemptions(exemptions) }),
    ...(hosts === undefined ? {} : { network_whitelist: mergeHosts(hosts) }),
    ...(sanitizer === undefined
      ? {}
      : {
          sanitizer: {
            ...shipped.sanitizer,
            ...sanitizer,
            ...present(
              'patterns',
              joined(
                replaces.has('sanitizer.patterns'),
                shipped.sanitizer?.patterns,
                sanitizer.patterns,
                ({ prefix }) => prefix,
              ),
            ),
          },
        }),
    ...(scheduler === undefined
      ? {}
      : {
          scheduler: {
            ...shipped.scheduler,
            ...scheduler,
            per_template: { ...shipped.scheduler?.per_template, ...scheduler.per_template },
          },
        }),
    ...(own.audit === undefined ? {} : { audit: { ...shipped.audit, ...own.audit } }),
    ...(own.tech_debt === undefined
      ? {}
      : {
          tech_debt: {
            ...shipped.tech_debt,
            ...own.tech_debt,
            coverage: { ...shipped.tech_debt?.coverage, ...own.tech_debt.coverage },
          },
        }),
    ...(own.extensions === undefined ? {} : { extensions: own.extensions }),
  };

  function mergeWorkspace(): PolicyDocument['workspace'] {
    const keys = ['test_globs', 'test_except', 'docs_globs', 'other_globs', 'source_globs'] as const;
    return Object.fromEntries(
      keys.flatMap((key) => {
        const merged = globs(`workspace.${key}`, shipped.workspace?.[key], workspace?.[key]);
        return merged === undefined ? [] : [[key, merged]];
      }),
    );
  }

  function mergeExemptions(given: NonNullable<PolicyDocument['tdd_exemptions']>): PolicyDocument['tdd_exemptions'] {
    const merged: PolicyDocument['tdd_exemptions'] = { ...shipped.tdd_exemptions };
    for (const category of ['config_change', 'type_refactor', 'documentation', 'asset_update'] as const) {
      const [before, after] = [shipped.tdd_exemptions?.[category], given[category]];
      if (after === undefined) continue;
      const path = `tdd_exemptions.${category}.path_glob`;
      merged[category] = { ...before, ...after, path_glob: globs(path, before?.path_glob, after.path_glob) ?? [] };
    }
    return merged;
  }

  function mergeHosts(given: NonNullable<PolicyDocument['network_whitelist']>): PolicyDocument['network_whitelist'] {
    const merged = { ...shipped.network_whitelist };
    for (const [group, added] of Object.entries(given)) {
      const path = `network_whitelist.${group}`;
      merged[group] =
        joined(replaces.has(path), shipped.network_whitelist?.[group], added, ({ source }) => source) ?? [];
    }
    return merged;
  }
}

/** The paths of lists that are empty, or whose first item is an empty list: `[]`, or `[[], a, b]`. `value` is what the file holds. */
export function replacedLists(value: unknown): Replaces {
  const found = new Set<string>();
  const visit = (at: unknown, path: string) => {
    if (Array.isArray(at)) {
      if (at.length === 0 || isEmptyList(at[0])) found.add(path);
    } else if (typeof at === 'object' && at !== null) {
      for (const [key, inner] of Object.entries(at)) visit(inner, path === '' ? key : `${path}.${key}`);
    }
  };
  visit(value, '');
  return found;
}

export function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function joined<T>(
  replaced: boolean,
  shipped: readonly T[] | undefined,
  own: readonly T[] | undefined,
  keyOf: (value: T) => string,
): T[] | undefined {
  if (own === undefined) return shipped === undefined ? undefined : [...shipped];
  if (replaced) return [...own];
  return [...new Map([...(shipped ?? []), ...own].map((value) => [keyOf(value), value])).values()];
}

function present<K extends string, T>(key: K, value: T | undefined): Partial<Record<K, T>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, T>);
}
