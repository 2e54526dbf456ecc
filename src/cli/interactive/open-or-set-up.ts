import { FluffyError } from '../../contracts/fluffy-error.ts';

/**
 * What `open` opens. Where a key is missing, the guided set-up comes first, if there can be one. Null: it was left, and has said how to go on, so that
 * the missing key is no error any more.
 */
export async function openOrSetUp<T>(
  open: () => Promise<T>,
  setUp: (() => Promise<boolean>) | null,
): Promise<T | null> {
  try {
    return await open();
  } catch (error) {
    if (setUp === null || !(error instanceof FluffyError) || error.code !== 'provider_key_missing') throw error;
    return (await setUp()) ? open() : null;
  }
}
