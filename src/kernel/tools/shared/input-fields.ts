import { z } from 'zod';

/** Fields that several tools have. */
export const pathField = z.string().min(1).max(4096).describe('Path relative to the project.');
/** A directory; '' and '.' are the project. */
export const directoryField = z.string().max(4096);
export const MAX_CONTENT_CHARACTERS = 4 * 1024 * 1024;
export const contentField = z.string().max(MAX_CONTENT_CHARACTERS);
export const reasonField = z.string().min(1).max(5000);

/** For people, of a text of several lines. */
export function firstLine(text: string): string {
  return text.trim().split('\n')[0] ?? '';
}
