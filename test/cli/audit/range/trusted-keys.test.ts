import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { formatKeyLine, loadKeys, parseKeyFile } from '../../../../src/cli/audit/range/trusted-keys.ts';
import { generateSigningKey } from '../../../../src/host/signer/signing-key.ts';

const [A, B] = [generateSigningKey().key.publicKey, generateSigningKey().key.publicKey];

describe('a key file', () => {
  it('holds keys by role, in the form in which they are printed', () => {
    const text = `# Ada's\r\n${formatKeyLine('host', A, 'ada@laptop')}\n\n  ${formatKeyLine('approver', B, '')}\t\n`;
    expect(parseKeyFile(text)).toEqual({ kind: 'keys', keys: { hosts: [A], approvers: [B] } });
  });

  it.each([
    ['a role that there is not', `admin ed25519 ${A}`, 1],
    ['a role in capitals', `# x\nHOST ed25519 ${A}`, 2],
    ['another kind of key', `host rsa ${A}`, 1],
    ['no key', 'host ed25519', 1],
    ['a key that is cut short', `host ed25519 ${A.slice(0, -4)}`, 1],
    ['a key with something in it', `host ed25519 ${A.slice(0, 10)}!${A.slice(10)}`, 1],
    ['a private key', '-----BEGIN PRIVATE KEY-----', 1],
  ])('with %s is refused as a whole', (_, text, line) => {
    expect(parseKeyFile(`${text}\n${formatKeyLine('host', B, '')}\n`)).toMatchObject({ kind: 'invalid', line });
  });
});

describe('keys from files', () => {
  function scene() {
    const base = mkdtempSync(join(tmpdir(), 'fluffy-keys-'));
    onTestFinished(() => rmSync(base, { recursive: true, force: true }));
    mkdirSync(join(base, 'team'));
    writeFileSync(join(base, 'team/ada.keys'), `${formatKeyLine('host', A, '')}\n`);
    writeFileSync(
      join(base, 'team/bob.keys'),
      `${formatKeyLine('host', B, '')}\n${formatKeyLine('approver', B, '')}\n`,
    );
    writeFileSync(join(base, 'team/notes.txt'), 'no key');
    return base;
  }

  it('are those of every file named and of every *.keys in a directory, each once', async () => {
    const base = scene();
    expect(await loadKeys([join(base, 'team'), join(base, 'team/ada.keys')], [])).toEqual({
      hosts: [A, B],
      approvers: [B],
    });
  });

  it.each(['none.keys', 'empty', 'team/notes.txt'])('cannot be had from %s', async (name) => {
    const base = scene();
    mkdirSync(join(base, 'empty'));
    await expect(loadKeys([join(base, name)], [])).rejects.toMatchObject({ code: 'keys_unusable', exitCode: 2 });
  });

  it.each([
    ['a link to a device', (file: string) => symlinkSync('/dev/zero', file), 'it is a device, not a regular file'],
    ['a pipe', (file: string) => execFileSync('mkfifo', [file]), 'it is a pipe, not a regular file'],
  ])('are not read from %s, which has no end', async (_, make, why) => {
    const file = join(scene(), 'team/no.keys');
    make(file);
    await expect(loadKeys([file], [])).rejects.toMatchObject({ code: 'keys_unusable', why });
    await expect(loadKeys([dirname(file)], [])).rejects.toMatchObject({ code: 'keys_unusable', why });
  });

  it('are not read from a file that is larger than a key file', async () => {
    const file = join(scene(), 'team/ada.keys');
    truncateSync(file, 1024 * 1024 + 1);
    const why = 'it is larger than 1048576 bytes';
    await expect(loadKeys([file], [])).rejects.toMatchObject({ code: 'keys_unusable', why });
  });
});
