import type { TouchedPaths } from '../tools/tool.ts';

/**
 * Divides the calls of one message into groups. Groups run one after the other; the calls of a group run in parallel.
 * Order is kept: a call goes into the first group after every earlier call that it conflicts with. Two calls conflict
 * if one writes a path that the other reads or writes. Pure.
 */
export function conflictGroups(calls: readonly TouchedPaths[]): number[][] {
  const groups: number[][] = [];
  const groupOf: number[] = [];
  calls.forEach((call, index) => {
    let group = 0;
    for (let earlier = 0; earlier < index; earlier += 1) {
      if (conflict(call, calls[earlier] as TouchedPaths)) group = Math.max(group, (groupOf[earlier] ?? 0) + 1);
    }
    groupOf.push(group);
    (groups[group] ??= []).push(index);
  });
  return groups;
}

function conflict(a: TouchedPaths, b: TouchedPaths): boolean {
  return overlap(a.writes, b.writes) || overlap(a.writes, b.reads) || overlap(a.reads, b.writes);
}

function overlap(a: TouchedPaths['reads'], b: TouchedPaths['reads']): boolean {
  if (a === 'everything') return b === 'everything' || b.length > 0;
  if (b === 'everything') return a.length > 0;
  return a.some((one) =>
    b.some((other) => sameOrBeneath(plain(one), plain(other)) || sameOrBeneath(plain(other), plain(one))),
  );
}

/** Different spellings of one file must not let two writes run in parallel. What a path really is, is decided later. */
function plain(path: string): string {
  const parts: string[] = [];
  for (const part of path.normalize('NFC').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/').toLowerCase();
}

function sameOrBeneath(path: string, parent: string): boolean {
  return path === parent || parent === '' || path.startsWith(`${parent}/`);
}
