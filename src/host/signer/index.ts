export { anchorHead, beginEpoch, signedThrough } from './anchor-file.ts';
export type { AnchorResult } from './anchor-file.ts';
export { newestLine, readAnchors } from './read-anchors.ts';
export type { AnchorReading, SignedEpoch } from './read-anchors.ts';
export type { EpochStart } from './epoch-line.ts';
export type { Anchor } from './anchor-line.ts';
export { attestCommit } from './attest-commit.ts';
export type { AttestServices } from './attest-commit.ts';
export type { SigningKey } from './signing-key.ts';
export {
  anchorKey,
  anchorPublicKey,
  approvalKey,
  approvalPublicKey,
  knownApprovalKey,
  protectApprovalKey,
  signApproval,
} from './stored-keys.ts';
export type { AskPassphrase } from './stored-keys.ts';
