import { resolve } from 'node:path';

/** Lines that ran by the place of their file in `files`, as a report in the format of lcov has them. Its paths may be relative to `cwd`. */
export function readLcov(text: string, files: readonly string[], cwd: string): Map<number, number[]> {
  const found = new Map<number, number[]>();
  let lines: number[] | null = null;
  for (const line of text.split('\n')) {
    const [, key, value = ''] = /^(SF|DA|end_of_record)(?::(.*))?$/.exec(line) ?? [];
    if (key === 'SF') {
      const place = files.indexOf(resolve(cwd, value.replace(/^file:\/\//, '')));
      lines = place === -1 ? null : [];
      if (lines !== null) found.set(place, lines);
    } else if (key === 'DA') {
      const [number = '', count = ''] = value.split(',');
      if (Number(count) > 0) lines?.push(Number(number));
    } else if (key === 'end_of_record') lines = null;
  }
  return found;
}
