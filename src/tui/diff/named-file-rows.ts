import { hangingRows } from '../text/hanging-rows.ts';
import { own } from '../text/span.ts';
import type { Row } from '../text/span.ts';
import { spellOut } from '../text/spell-out.ts';
import { fileRows, numberedRows } from './diff-rows.ts';
import type { DiffLook } from './diff-rows.ts';
import type { Diff } from './read-diff.ts';

/** A change file by file, each below a row with its counts and its name. */
export function namedFileRows({ files, loose }: Diff, look: DiffLook): Row[] {
  const { edge, width } = look;
  const rows = files.map((file) => {
    const counts = [own(`+${file.added}`, 'good'), own(` -${file.removed}  `, 'bad')];
    const margin = { first: [...edge, ...counts], rest: [...edge, own('  ↪  ', 'dim')], breakAt: 'character' } as const;
    return [...hangingRows(spellOut([{ raw: file.path, role: 'strong' }]), margin, width), ...fileRows(file, look)];
  });
  const parts = loose.length === 0 ? rows : [numberedRows(loose, look), ...rows];
  return parts.flatMap((part, index) => (index === 0 ? part : [edge, ...part]));
}
