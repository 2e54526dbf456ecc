import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../../../src/lib/secrets/redact-secrets.ts';
import { SECRET_PREFIXES } from '../../../src/lib/secrets/secret-rules.ts';

// Put together here, so that no scanner of this repository takes them for real.
const a1 = (length: number) => 'a1B2c3D4'.repeat(20).slice(0, length);
const hidden = (text: string) => redactSecrets(text, []);

describe('a secret is hidden', () => {
  it.each(SECRET_PREFIXES)('$name that begins with $prefix', ({ prefix, minLength }) => {
    const secret = prefix + a1(minLength - prefix.length);
    expect(hidden(`key = "${secret}"\nnext`).text).toMatch(/^key = "(?:[\w+=/.-]*)?\[redacted: [^\]]+\]"\nnext$/);
    expect(hidden(`key = "${secret}"`).text).not.toContain(a1(12));
  });

  const PEM = ['-----BEGIN RSA PRIVATE KEY-----', a1(64), a1(64), `${a1(20)}==`, '-----END RSA PRIVATE KEY-----'];
  it.each([
    ['a key in a file', `before\n${PEM.join('\n')}\nafter`, 'before\n[redacted: private key]\nafter'],
    [
      'a key in one line of JSON',
      `{"key":"${PEM.join('\\n')}\\n","b":1}`,
      '{"key":"[redacted: private key]\\n","b":1}',
    ],
    ['a key that the read cut off', PEM.slice(0, 3).join('\n'), '[redacted: private key]'],
    [
      'a PGP key',
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 1\n\n${a1(64)}\n-----END PGP PRIVATE KEY BLOCK-----\n`,
      '[redacted: private key]\n',
    ],
    ['a web token', `Bearer eyJ${a1(20)}.eyJ${a1(40)}.${a1(30)};`, 'Bearer [redacted: JSON web token];'],
    ['an AWS secret', `aws_secret_access_key = ${a1(40)}`, 'aws_secret_access_key = [redacted: AWS secret key]'],
    ['an AWS secret in JSON', `"SecretAccessKey": "${a1(40)}"`, '"SecretAccessKey": "[redacted: AWS secret key]"'],
    ['an Azure key', `AccountKey=${a1(86)}==;x`, 'AccountKey=[redacted: Azure storage key];x'],
    [
      'a webhook',
      `https://hooks.slack.com/services/T${a1(8)}/B${a1(8)}/${a1(24)}`,
      'https://hooks.slack.com/services/[redacted: Slack webhook]',
    ],
    [
      'a password of a database',
      `DATABASE_URL=postgres://app:${a1(10)}@db.internal:5432/x`,
      'DATABASE_URL=postgres://app:[redacted: password in an address]@db.internal:5432/x',
    ],
  ])('%s', (_what, text, shown) => {
    expect(hidden(text).text).toBe(shown);
  });
});

it.each([
  'sk-learn and sk-something-that-is-a-long-name',
  'npm_config_user_agent_of_this_long_name_here',
  'hf_hub_download_from_the_repository_of_models',
  'a task-with-a-very-long-name-of-its-own',
  'import { x } from "./xoxo.ts"',
  '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----',
  'postgres://user:secret1@localhost/x and https://${user}:${password}@host and http://<user>:<pass>@host',
  'https://example.org:8080/a@b',
  'eyJ is how a token begins',
  'const secretAccessKey = process.env.KEY',
])('an ordinary text stays: %s', (text) => {
  expect(hidden(text)).toEqual({ text, redacted: [] });
});

it.each([
  ['keys without an end', '-----BEGIN PRIVATE KEY-----'],
  ['beginnings of tokens', 'eyJaaaaaaaaaa.'],
  ['addresses', '://a:'],
  ['prefixes', 'sk-'],
  ['one token', 'sk-a1'],
  ['names of keys', 'secretAccessKey='],
])('two million characters of %s take no longer than others', (_what, piece) => {
  const text = piece.repeat(2_000_000 / piece.length);
  expect(hidden(text).text.length).toBeGreaterThan(0);
});
