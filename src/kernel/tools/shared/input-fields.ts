import { z } from 'zod';
import { firstText } from '../../../lib/text/first-last.ts';

export const pathField = z.string().min(1).max(4096).describe('Path relative to the project.');
/** A directory; '' and '.' are the project root. */
export const directoryField = z.string().max(4096);
export const MAX_CONTENT_CHARACTERS = 4 * 1024 * 1024;
export const contentField = z.string().max(MAX_CONTENT_CHARACTERS);
export const reasonField = z.string().min(1).max(5000);

/** The first line of a text, for people. */
export function firstLine(text: string): string {
  return firstText(text.trim().split('\n'));
}
