import { extname } from 'node:path';
import { ownValue } from '../../../lib/own-value.ts';
import { usage } from '../../usage-error.ts';

export const EXPORT_FORMATS = ['md', 'html', 'json', 'replay'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const BY_ENDING: Readonly<Record<string, ExportFormat>> = {
  '': 'md',
  '.md': 'md',
  '.markdown': 'md',
  '.txt': 'md',
  '.html': 'html',
  '.htm': 'html',
  '.json': 'json',
  '.jsonl': 'replay',
};

/** The format for a file name. Throws FluffyError `usage` for an unknown extension. */
export function formatOfFile(file: string): ExportFormat {
  const ending = extname(file).toLowerCase();
  const format = ownValue(BY_ENDING, ending);
  if (format === undefined)
    throw usage(`no session is written as ${ending}`, 'End the name of the file in .md, .html, .json or .jsonl');
  return format;
}
