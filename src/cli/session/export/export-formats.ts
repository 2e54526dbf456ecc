import { extname } from 'node:path';

export const EXPORT_FORMATS = ['md', 'html', 'json', 'replay'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const BY_ENDING: Readonly<Record<string, ExportFormat>> = {
  '.html': 'html',
  '.htm': 'html',
  '.json': 'json',
  '.jsonl': 'replay',
};

/** What a file of this name holds. */
export function formatOfFile(file: string): ExportFormat {
  return BY_ENDING[extname(file).toLowerCase()] ?? 'md';
}
