import { createHash } from 'node:crypto';
import { MAX_EXTENSION_BYTES } from '../../../contracts/policy-extension.ts';
import type { PolicyDiagnostic } from '../../../contracts/policy.ts';
import type { CompiledPolicy, ExtensionSettings } from '../compiled-policy.ts';

/** The file of an extension as it was read. */
export type ExtensionText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly why: string };

export type WithSources =
  | { readonly kind: 'ok'; readonly policy: CompiledPolicy }
  | { readonly kind: 'invalid'; readonly errors: readonly PolicyDiagnostic[] };

/** The position of each extension in the policy file, for error messages. */
export interface ExtensionPlaces {
  readonly file: string;
  readonly locate: (path: readonly PropertyKey[]) => { readonly line: number; readonly column: number };
}

/**
 * The policy with the text of each extension, which `read` reads beside the policy file. The policy names each text by
 * its digest, so a signature of the policy covers these texts too. A missing file, or one with another digest, makes
 * the policy unusable.
 */
export async function withSources(
  policy: CompiledPolicy,
  read: (entry: string) => Promise<ExtensionText>,
  { file, locate }: ExtensionPlaces,
): Promise<WithSources> {
  if (policy.extensions.length === 0) return { kind: 'ok', policy };
  const errors: PolicyDiagnostic[] = [];
  const extensions: ExtensionSettings[] = [];
  for (const [index, extension] of policy.extensions.entries()) {
    const text = await read(extension.entry);
    const fault = faultOf(extension, text);
    if (fault !== null) {
      const path = ['extensions', index, fault.key];
      errors.push({
        file,
        ...locate(path),
        message: `extensions[${index}].${fault.key}: ${fault.why}`,
        severity: 'error',
      });
    } else if (text.kind === 'text') extensions.push({ ...extension, source: text.text });
  }
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'ok', policy: { ...policy, extensions } };
}

function faultOf(
  { entry, sha256 }: ExtensionSettings,
  text: ExtensionText,
): { key: 'entry' | 'sha256'; why: string } | null {
  switch (text.kind) {
    case 'missing':
      return { key: 'entry', why: `there is no file ${entry} beside the policy` };
    case 'unreadable':
      return { key: 'entry', why: `${entry} can't be read: ${text.why}` };
    case 'text': {
      if (Buffer.byteLength(text.text) > MAX_EXTENSION_BYTES)
        return { key: 'entry', why: `${entry} has more than ${MAX_EXTENSION_BYTES} bytes` };
      const found = createHash('sha256').update(text.text, 'utf8').digest('hex');
      return found === sha256 ? null : { key: 'sha256', why: `${entry} is another text: its digest is ${found}` };
    }
  }
}
