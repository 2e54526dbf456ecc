import { hostname, userInfo } from 'node:os';
import type { UserDirs } from '../../../contracts/host-layout.ts';
import { EXIT } from '../../../contracts/exit-codes.ts';
import type { ExitCode } from '../../../contracts/exit-codes.ts';
import { anchorKey, approvalPublicKey } from '../../../host/signer/index.ts';
import { keyFingerprint } from '../../../lib/evidence/dsse.ts';
import { jsonLine } from '../../../lib/json-line.ts';
import type { Output } from '../../output/output.ts';
import { formatKeyLine } from './trusted-keys.ts';

/** Prints this user's public keys in the form that `--keys` accepts. Missing keys are created. Public halves only. */
export async function printKeys(json: boolean, user: UserDirs, output: Output): Promise<ExitCode> {
  const host = (await anchorKey(user)).publicKey;
  const approver = await approvalPublicKey(user);
  const whose = `${userInfo().username}@${hostname()}`;
  output.stdout(
    json
      ? jsonLine({ host: describe(host), approver: describe(approver) })
      : `${formatKeyLine('host', host, whose)}\n${formatKeyLine('approver', approver, whose)}\n`,
  );
  return EXIT.done;
}

function describe(publicKey: string): { readonly key: string; readonly fingerprint: string } {
  return { key: publicKey, fingerprint: keyFingerprint(publicKey) };
}
