import { FluffyError } from '../../contracts/fluffy-error.ts';

/**
 * The result of `open`. If a key is missing, the guided set-up runs first, if it is possible. null: the person left the set-up, which has said how to
 * continue, so the missing key is no error any more.
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
