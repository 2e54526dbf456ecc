import type { Condition } from './compiled-rule.ts';

/** Whether all that meets `narrow` meets `wide`, as far as the text shows: true is certain, false is not. */
export function covers(wide: Condition, narrow: Condition): boolean {
  return (
    includes(wide.syscalls, narrow.syscalls) &&
    (includes(sources(wide.globs), sources(narrow.globs)) || (narrow.globs !== null && matchesEveryPath(wide))) &&
    includes(wide.tags, narrow.tags) &&
    includes(wide.plugins, narrow.plugins) &&
    includes(wide.modes, narrow.modes) &&
    includes(wide.states, narrow.states) &&
    includes(wide.templates, narrow.templates) &&
    includes(sources(wide.hosts), sources(narrow.hosts))
  );
}

/** Whether the condition's globs leave no path out. */
export function matchesEveryPath(condition: Condition): boolean {
  return (
    condition.globs?.some((glob) => !glob.directoryOnly && glob.parts.length === 1 && glob.parts[0]?.kind === 'any') ??
    false
  );
}

function includes(wide: readonly string[] | null, narrow: readonly string[] | null): boolean {
  return wide === null || (narrow !== null && narrow.every((value) => wide.includes(value)));
}

function sources(values: readonly { readonly source: string }[] | null): readonly string[] | null {
  return values?.map((value) => value.source) ?? null;
}
