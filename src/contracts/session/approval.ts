import { z } from 'zod';

/** A signature (base64) by the human's approval key over the 32 bytes of `sha256`, which names what was shown. */
export const approvalSchema = z.strictObject({
  kind: z.literal('approve'),
  sha256: z.string(),
  signature: z.string(),
  public_key: z.string(),
});
