import { SHORTEST_SECRET } from '../../contracts/model/provider-config.ts';

const REPLACEMENT = '[key]';
const MAX_MESSAGE_LENGTH = 2_000;

/**
 * Removes the key from a text that leaves the sandbox, in the forms in which an endpoint might repeat it, and shortens the text for people. Error
 * messages come from the network, and proxies that repeat request headers in their answers are not rare.
 */
export function redactMessage(text: string, key: string | null): string {
  const redacted = echoForms(key).reduce((current, form) => current.replaceAll(form, REPLACEMENT), text);
  return redacted.length <= MAX_MESSAGE_LENGTH ? redacted : `${redacted.slice(0, MAX_MESSAGE_LENGTH)}…`;
}

function echoForms(key: string | null): readonly string[] {
  if (key === null || key.length < SHORTEST_SECRET) return [];
  const bytes = Buffer.from(key);
  const encoded = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')];
  return [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key), ...encoded];
}
