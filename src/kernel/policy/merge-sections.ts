import type { Glob } from '../../lib/globs/glob.ts';
import type { PolicyDocument } from './document/policy-schema.ts';

/** Paths of lists in the project's policy that replace the shipped list, for example `review.sensitive_globs`. */
type Replaces = ReadonlySet<string>;

/**
 * Merges the sections of a signed project policy into the shipped ones, key by key. The project's numbers and words
 * count; its lists are appended. A list replaces the shipped one only if it says so (`replacedLists`), so that a new
 * value never removes a shipped one by accident.
 */
export function mergeSections(shipped: PolicyDocument, own: PolicyDocument, replaces: Replaces): PolicyDocument {
  const layers: Layers = { shipped, replaces };
  return {
    ...shipped,
    ...(own.workspace === undefined ? {} : { workspace: mergeWorkspace(layers, own.workspace) }),
    ...(own.review === undefined ? {} : { review: mergeReview(layers, own.review) }),
    ...(own.tdd_exemptions === undefined ? {} : { tdd_exemptions: mergeExemptions(layers, own.tdd_exemptions) }),
    ...(own.network_whitelist === undefined ? {} : { network_whitelist: mergeHosts(layers, own.network_whitelist) }),
    ...(own.sanitizer === undefined ? {} : { sanitizer: mergeSanitizer(layers, own.sanitizer) }),
    ...(own.scheduler === undefined ? {} : { scheduler: mergeScheduler(layers, own.scheduler) }),
    ...(own.audit === undefined ? {} : { audit: { ...shipped.audit, ...own.audit } }),
    ...(own.tech_debt === undefined ? {} : { tech_debt: mergeTechDebt(layers, own.tech_debt) }),
    ...(own.extensions === undefined ? {} : { extensions: own.extensions }),
  };
}

interface Layers {
  readonly shipped: PolicyDocument;
  readonly replaces: Replaces;
}

type Section<K extends keyof PolicyDocument> = NonNullable<PolicyDocument[K]>;

const GLOB_LISTS = ['test_globs', 'test_except', 'docs_globs', 'other_globs', 'source_globs'] as const;

function mergeWorkspace({ shipped, replaces }: Layers, own: Section<'workspace'>): Section<'workspace'> {
  const lists = GLOB_LISTS.flatMap((key): [string, Glob[]][] => {
    const merged = mergeGlobs(replaces.has(`workspace.${key}`), shipped.workspace?.[key], own[key]);
    return merged === undefined ? [] : [[key, merged]];
  });
  return { ...shipped.workspace, ...Object.fromEntries(lists) };
}

function mergeReview({ shipped, replaces }: Layers, own: Section<'review'>): Section<'review'> {
  const replaced = replaces.has('review.sensitive_globs');
  return {
    ...shipped.review,
    ...own,
    ...present('sensitive_globs', mergeGlobs(replaced, shipped.review?.sensitive_globs, own.sensitive_globs)),
  };
}

function mergeExemptions({ shipped, replaces }: Layers, own: Section<'tdd_exemptions'>): Section<'tdd_exemptions'> {
  const merged: Section<'tdd_exemptions'> = { ...shipped.tdd_exemptions };
  for (const category of ['config_change', 'type_refactor', 'documentation', 'asset_update'] as const) {
    const [before, after] = [shipped.tdd_exemptions?.[category], own[category]];
    if (after === undefined) continue;
    const replaced = replaces.has(`tdd_exemptions.${category}.path_glob`);
    const globs = mergeGlobs(replaced, before?.path_glob, after.path_glob);
    merged[category] = { ...before, ...after, path_glob: globs ?? [] };
  }
  return merged;
}

function mergeHosts({ shipped, replaces }: Layers, own: Section<'network_whitelist'>): Section<'network_whitelist'> {
  const merged = { ...shipped.network_whitelist };
  for (const [group, added] of Object.entries(own)) {
    const replaced = replaces.has(`network_whitelist.${group}`);
    merged[group] = joined(replaced, shipped.network_whitelist?.[group], added, ({ source }) => source) ?? [];
  }
  return merged;
}

function mergeSanitizer({ shipped, replaces }: Layers, own: Section<'sanitizer'>): Section<'sanitizer'> {
  const replaced = replaces.has('sanitizer.patterns');
  const patterns = joined(replaced, shipped.sanitizer?.patterns, own.patterns, ({ prefix }) => prefix);
  return { ...shipped.sanitizer, ...own, ...present('patterns', patterns) };
}

function mergeScheduler({ shipped }: Layers, own: Section<'scheduler'>): Section<'scheduler'> {
  const perTemplate = { ...shipped.scheduler?.per_template, ...own.per_template };
  return { ...shipped.scheduler, ...own, per_template: perTemplate };
}

function mergeTechDebt({ shipped }: Layers, own: Section<'tech_debt'>): Section<'tech_debt'> {
  const coverage = { ...shipped.tech_debt?.coverage, ...own.coverage };
  return { ...shipped.tech_debt, ...own, coverage };
}

/**
 * The paths of lists that are empty or whose first item is an empty list: `[]`, or `[[], a, b]`. `value` is the parsed
 * file.
 */
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

function mergeGlobs(
  replaced: boolean,
  shipped: readonly Glob[] | undefined,
  own: readonly Glob[] | undefined,
): Glob[] | undefined {
  return joined(replaced, shipped, own, ({ source }) => source);
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
