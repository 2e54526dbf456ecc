import { z } from 'zod';

/** A signature (base64) by the person's approval key over the 32 bytes of `sha256`, the digest of what was shown. */
export const approvalSchema = z.strictObject({
  kind: z.literal('approve'),
  sha256: z.string(),
  signature: z.string(),
  public_key: z.string(),
});
