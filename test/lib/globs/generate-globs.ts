import type { SeededRandom } from '../../kernel/policy/seeded-random.ts';

/** Few letters, so that patterns and paths meet often; every special character of .gitignore. */
const NAME_PIECES = [
  'a',
  'b',
  'ab',
  'ba',
  '.',
  '-',
  '_',
  'A',
  '0',
  'é',
  ' b',
  '{',
  '}',
  '!',
  '#',
  '(',
  '@',
  '+',
  ']',
  '^',
  ',',
] as const;
const GLOB_PIECES = [
  ...NAME_PIECES,
  '*',
  '*',
  '*',
  '?',
  '?',
  '**',
  '***',
  '[ab]',
  '[!a]',
  '[^b]',
  '[a-c]',
  '[]a]',
  '[!]]',
  '[a-]',
  '[-a]',
  '[[:alpha:]]',
  '[[:digit:]x]',
  '[![:upper:]]',
  '[é]',
  '[\\]]',
  '[\\a-c]',
  '[.-0]',
  '\\*',
  '\\?',
  '\\[',
  '\\a',
  '\\!',
  '\\#',
  '\\{',
  '\\ ',
  '{a,b}',
  '*(a)',
  '[',
  '[z-a]',
  '\\',
] as const;

export function randomName(random: SeededRandom): string {
  const name = random.list(1, 3, () => random.pick(NAME_PIECES)).join('');
  return name === '.' || name === '..' || name.endsWith(' ') ? 'a' : name;
}

/** `a/b/c`, one to five names deep. */
export function randomPath(random: SeededRandom): string {
  return random.list(1, 5, () => (random.chance(0.5) ? random.pick(['a', 'b', 'ab']) : randomName(random))).join('/');
}

export function randomGlob(random: SeededRandom): string {
  const segment = () => {
    if (random.chance(0.2)) return random.pick(['**', '**', '*', '***']);
    if (random.chance(0.4)) return random.pick(['a', 'b', 'ab']);
    return random.list(1, 4, () => random.pick(GLOB_PIECES)).join('');
  };
  const lead = random.chance(0.2) ? '/' : '';
  const tail = random.chance(0.2) ? '/' : '';
  return lead + random.list(1, 4, segment).join('/') + tail;
}
