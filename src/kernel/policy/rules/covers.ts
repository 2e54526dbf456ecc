import { neededFacts, shownFacts } from '../../../lib/globs/glob-cover.ts';
import type { Condition } from './compiled-rule.ts';

/** A condition prepared for comparison. A null field requires nothing. */
export interface Extent {
  /** Number of values that a comparison may read. */
  readonly size: number;
  readonly fields: readonly (ReadonlySet<string> | null)[];
  readonly shown: ReadonlySet<string> | null;
  /** One entry for each glob. */
  readonly needed: readonly (readonly string[])[] | null;
}

export function extentOf(condition: Condition): Extent {
  const { syscalls, states, modes, templates, plugins, tags, hosts, classes, commands, effects, globs } = condition;
  const fields = [
    syscalls,
    states,
    modes,
    templates,
    plugins,
    tags,
    classes,
    effects,
    hosts?.map(({ source }) => source) ?? null,
    commands?.map(({ source }) => JSON.stringify(source)) ?? null,
  ].map((values) => (values === null ? null : new Set<string>(values)));
  const needed = globs?.map(neededFacts) ?? null;
  const size = [...fields, ...(needed ?? [])].reduce(
    (sum, values) => sum + (values === null ? 0 : 'size' in values ? values.size : values.length),
    1,
  );
  return { size, fields, shown: globs === null ? null : new Set(globs.flatMap(shownFacts)), needed };
}

/**
 * Whether everything that meets `narrow` also meets `wide`, as far as the text shows: true is certain, false is not.
 * Compares at most `narrow.size` values. No glob, not even `**`, matches a request without a path or for the project's
 * root, so a condition with globs never covers one without.
 */
export function covers(wide: Extent, narrow: Extent): boolean {
  return (
    wide.fields.every((values, field) => includes(values, narrow.fields[field] ?? null)) && coversGlobs(wide, narrow)
  );
}

/** Whether no request meets both conditions, judged by the syscalls: true is certain, false is not. */
export function excludes(one: Condition, other: Condition): boolean {
  return (
    one.syscalls !== null && other.syscalls?.every((syscall) => one.syscalls?.includes(syscall) === false) === true
  );
}

function includes(wide: ReadonlySet<string> | null, narrow: ReadonlySet<string> | null): boolean {
  if (wide === null) return true;
  return narrow !== null && narrow.size <= wide.size && narrow.values().every((value) => wide.has(value));
}

function coversGlobs({ shown }: Extent, { needed }: Extent): boolean {
  return shown === null || (needed !== null && needed.every((facts) => facts.some((fact) => shown.has(fact))));
}
