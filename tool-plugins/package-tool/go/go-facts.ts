import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RegistryFacts } from '../../../src/contracts/sandbox/package-managers.ts';
import { newModules, readGoSum } from '../../../src/lib/packages/go-sum.ts';
import type { SummedModule } from '../../../src/lib/packages/go-sum.ts';
import { parseJson } from '../../../src/lib/parse-json.ts';
import type { PackageWork } from '../package-work.ts';
import { unknownFacts } from '../registry-facts.ts';

/** Modules of which more is said than their names. */
const MAX_FACTS = 100;
const MAX_LICENCE_CHARACTERS = 20_000;

/** By words that only this licence has, the particular ones first. */
const LICENCES: readonly (readonly [words: RegExp, name: string])[] = [
  [/GNU AFFERO GENERAL PUBLIC LICENSE/, 'AGPL'],
  [/GNU LESSER GENERAL PUBLIC LICENSE/, 'LGPL'],
  [/GNU GENERAL PUBLIC LICENSE/, 'GPL'],
  [/Mozilla Public License,? [Vv]ersion 2\.0/, 'MPL-2.0'],
  [/Apache License\s+Version 2\.0/, 'Apache-2.0'],
  [/Permission is hereby granted, free of charge/, 'MIT'],
  [/Permission to use, copy, modify, and(?:\/or)? distribute this software/, 'ISC'],
  [/Redistribution and use in source and binary forms[\s\S]*Neither the name/, 'BSD-3-Clause'],
  [/Redistribution and use in source and binary forms/, 'BSD-2-Clause'],
];

/** What is known of modules that HEAD does not have, from what was downloaded, the requested one first. Nobody maintains a module by a list of names. */
export async function goFacts(
  { job }: Pick<PackageWork, 'job'>,
  cache: string,
  modules: readonly SummedModule[],
  said: string,
): Promise<RegistryFacts[]> {
  const { request, base_lockfile: earlier } = job;
  const base = readGoSum(earlier ?? '');
  const requested = request.kind === 'add' ? request.name : null;
  const isRequested = ({ path }: SummedModule): boolean =>
    requested === path || (requested ?? '').startsWith(`${path}/`);
  const added = newModules(base.kind === 'sums' ? base.modules : [], modules)
    .toSorted((a, b) => Number(isRequested(b)) - Number(isRequested(a)))
    .slice(0, MAX_FACTS);
  return Promise.all(
    added.map(async (each) => {
      const deprecated = deprecationOf(said, each);
      return {
        ...unknownFacts(each.path, each.version),
        published_ms: await publishedMs(cache, each),
        licence: await licenceOf(join(cache, `${escaped(each.path)}@${escaped(each.version)}`)),
        ...(deprecated === null ? {} : { deprecated }),
      };
    }),
  );
}

/** Where the cache has a module: a capital letter is an exclamation mark and the small one. */
export function escaped(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`);
}

async function publishedMs(cache: string, { path, version }: SummedModule): Promise<number | null> {
  const info = await readFile(
    join(cache, 'cache/download', escaped(path), '@v', `${escaped(version)}.info`),
    'utf8',
  ).catch(() => '');
  const value = parseJson(info);
  const time = typeof value === 'object' && value !== null && 'Time' in value ? Date.parse(String(value.Time)) : NaN;
  return Number.isFinite(time) && time > 0 ? time : null;
}

/** Modules do not name their licence; it is known by its text. */
async function licenceOf(directory: string): Promise<string | null> {
  const names = await readdir(directory).catch(() => []);
  const file = names.toSorted().find((name) => /^(?:licen[cs]e|copying)(?:[.-]\w+)?$/i.test(name));
  if (file === undefined) return null;
  const text = (await readFile(join(directory, file), 'utf8').catch(() => '')).slice(0, MAX_LICENCE_CHARACTERS);
  return LICENCES.find(([words]) => words.test(text))?.[1] ?? null;
}

/** Go says so when it adds a module. */
function deprecationOf(said: string, { path, version }: SummedModule): string | null {
  for (const line of said.split('\n')) {
    const [, deprecated, why] = /^go: module (\S+) is deprecated: (.*)$/.exec(line) ?? [];
    if (deprecated === path) return (why ?? '').slice(0, 200);
    const [, retracted, reason] = /^go: warning: (\S+): retracted by module author(?:: (.*))?$/.exec(line) ?? [];
    if (retracted === `${path}@${version}`) return `retracted: ${reason ?? ''}`.slice(0, 200);
  }
  return null;
}
