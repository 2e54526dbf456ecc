import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verifyRange } from '../../../../src/cli/audit/range/verify-range.ts';
import type { RangeVerdict } from '../../../../src/cli/audit/range/verify-range.ts';
import { formatKeyLine, loadKeys } from '../../../../src/cli/audit/range/trusted-keys.ts';
import { EVIDENCE_REF, envelopePath } from '../../../../src/contracts/review/evidence.ts';
import type { AttestRequest, EvidenceFacts, EvidenceStatement } from '../../../../src/contracts/review/evidence.ts';
import type { ObjectId, Sha256 } from '../../../../src/contracts/ids.ts';
import { generateSigningKey } from '../../../../src/host/signer/signing-key.ts';
import { envelopeFile } from '../../../../src/kernel/commit/evidence.ts';
import { sealEnvelope } from '../../../../src/lib/evidence/dsse.ts';
import { openHistory } from '../../../../src/platform/git/history.ts';
import { approvalOf, makeAttestedRepository } from '../../../support/attested-repository.ts';
import type { Attested, AttestedRepository } from '../../../support/attested-repository.ts';
import { sha256 } from '../../../support/evidence-facts.ts';

let made: AttestedRepository;
beforeEach(() => {
  made = makeAttestedRepository();
});
afterEach(() => made.remove());

type Trusted = Parameters<typeof verifyRange>[0]['keys'];

async function verify(range = 'HEAD~1..HEAD', keys?: Trusted): Promise<RangeVerdict> {
  const gitDir = join(made.root, '.git');
  const history = openHistory({ root: made.root, gitDir, commonDir: gitDir });
  const own = { hosts: [made.host.publicKey], approvers: [made.approver.publicKey] };
  try {
    return await verifyRange({ history, range, keys: keys ?? own, require: [] });
  } finally {
    await history.close();
  }
}

/** What is found wrong with the newest commit: its status, or the checks that fail. */
async function found(keys?: Trusted): Promise<string> {
  const { commits, intact } = await verify('HEAD~1..HEAD', keys);
  const [newest] = commits;
  expect(intact).toBe(newest?.status !== 'broken');
  if (newest?.status !== 'broken') return newest?.status ?? 'nothing';
  return [...new Set(newest.problems.map(({ check }) => check))].join(' ');
}

const envelopeOf = (digest: Sha256): Buffer => made.gitBytes(['show', `${EVIDENCE_REF}:${envelopePath(digest)}`]);

function statementOf(digest: Sha256): EvidenceStatement {
  const { payload } = JSON.parse(envelopeOf(digest).toString()) as { payload: string };
  return JSON.parse(Buffer.from(payload, 'base64').toString()) as EvidenceStatement;
}

const sealed = (statement: unknown, key = made.host): Buffer =>
  envelopeFile(sealEnvelope(Buffer.from(typeof statement === 'string' ? statement : JSON.stringify(statement)), key));

const message = (): string => made.git('log', '-1', '--format=%B').replace(/\n\n$/, '\n');

/** A commit like HEAD with another tree, parents or message. */
function remake(changed: { tree?: string; parents?: readonly string[]; message?: string | Buffer }): void {
  const tree = changed.tree ?? made.git('rev-parse', 'HEAD^{tree}').trim();
  const parents = changed.parents ?? [made.git('rev-parse', 'HEAD~1').trim()];
  const who = 'Ada Example <ada@example.org> 1700000000 +0100';
  const lines = [`tree ${tree}`, ...parents.map((id) => `parent ${id}`), `author ${who}`, `committer ${who}`, '', ''];
  // Past git's own porcelain, which would mend what it takes for a slip.
  const object = Buffer.concat([Buffer.from(lines.join('\n')), Buffer.from(changed.message ?? message())]);
  const id = made.gitBytes(['hash-object', '-w', '-t', 'commit', '--stdin'], object);
  made.git('update-ref', 'HEAD', id.toString().trim());
}

it('the fixture is whole before anybody attacks it', async () => {
  await made.attested({ by: 'human' });
  expect(await found()).toBe('verified');
});

describe('an envelope', () => {
  it.each<[string, (digest: Sha256) => Buffer, string]>([
    ['signed by somebody else', (digest) => sealed(statementOf(digest), generateSigningKey().key), 'signature'],
    ['without a signature', (digest) => edit(digest, (envelope) => ({ ...envelope, signatures: [] })), 'signature'],
    [
      'whose statement was edited',
      (digest) => edit(digest, (envelope) => ({ ...envelope, payload: editedPayload(digest) })),
      'signature',
    ],
    ['of another payload type', (digest) => edit(digest, (all) => ({ ...all, payloadType: 'text/plain' })), 'envelope'],
    ['with a member more', (digest) => edit(digest, (all) => ({ ...all, trusted: true })), 'envelope'],
    ['with more signatures than anybody needs', (digest) => edit(digest, crowded), 'envelope'],
    ['that is no JSON', () => Buffer.from('{'), 'envelope'],
    ['that is empty', () => Buffer.alloc(0), 'envelope'],
    ['with a key twice', (digest) => twice(envelopeOf(digest).toString()), 'envelope'],
    ['nested beyond sense', () => Buffer.from('['.repeat(500_000)), 'envelope'],
    ['of five megabytes that no compression helps', () => randomBytes(5 * 1024 * 1024), 'evidence'],
    ['larger than fluffy writes', () => Buffer.alloc(5 * 1024 * 1024, 'x'), 'evidence'],
    ['that signs a statement of another kind', () => sealed({ _type: 'https://in-toto.io/Statement/v1' }), 'envelope'],
    [
      'that signs other bytes of the same statement',
      (digest) => sealed(` ${JSON.stringify(statementOf(digest))}`),
      'envelope',
    ],
  ])('%s is not believed', async (_, bytes, check) => {
    const { digest, commit } = await made.attested();
    await made.putEnvelope(digest, bytes(digest), commit);
    expect(await found()).toBe(check);
  });

  it('with a stranger’s signature beside the host’s is as good as without', async () => {
    const { digest, commit } = await made.attested();
    const stranger = sealEnvelope(Buffer.from('x'), generateSigningKey().key).signatures;
    const bytes = edit(digest, (all) => ({ ...all, signatures: [...stranger, ...(all['signatures'] as object[])] }));
    await made.putEnvelope(digest, bytes, commit);
    expect(await found()).toBe('verified');
  });

  it('signed with an approver’s key is not believed: approvers are no hosts', async () => {
    const { digest, commit } = await made.attested();
    await made.putEnvelope(digest, sealed(statementOf(digest), made.approver), commit);
    expect(await found()).toBe('signature');
  });

  it('of another commit is not evidence, wherever it is put', async () => {
    const first = await made.attested();
    const second = await made.attested();
    await made.putEnvelope(second.digest, envelopeOf(first.digest), second.commit);
    expect(await found()).toMatch(/^subject facts/);
  });

  const edit = (digest: Sha256, change: (envelope: Record<string, unknown>) => object): Buffer =>
    Buffer.from(JSON.stringify(change(JSON.parse(envelopeOf(digest).toString()) as Record<string, unknown>)));
  const editedPayload = (digest: Sha256): string =>
    Buffer.from(JSON.stringify(statementOf(digest)).replace('"model":"replay/x"', '"model":"replay/y"')).toString(
      'base64',
    );
  const crowded = (envelope: Record<string, unknown>): object => {
    const [signature] = envelope['signatures'] as object[];
    return { ...envelope, signatures: Array.from({ length: 17 }, () => signature) };
  };
  const twice = (text: string): Buffer => Buffer.from(text.replace('{"payload":', '{"payload":"e30=","payload":'));
});

describe('a commit that was changed since', () => {
  const attacks: [string, () => void, string][] = [
    [
      'another tree under the same message',
      () => remake({ tree: treeWith('src/a.js', 'evil()\n') }),
      'subject tree changes review',
    ],
    [
      'a frozen test weakened',
      () => remake({ tree: treeWith('test/new-2.test.js', '\n') }),
      'subject tree changes frozen review',
    ],
    [
      'amended with git, and nothing changed',
      () => void made.git('-c', 'user.name=Eve', 'commit', '-q', '--amend', '--no-edit', '--reset-author'),
      'subject',
    ],
    [
      'rebased',
      () => {
        made.git('rebase', '-q', '--onto', otherBase(), 'HEAD~1', 'HEAD');
      },
      'subject tree parent review',
    ],
    [
      'with another subject line',
      () => remake({ message: message().replace(/^.*/, 'Something else') }),
      'subject review',
    ],
    [
      'with a second parent',
      () => remake({ parents: [made.git('rev-parse', 'HEAD~1').trim(), otherBase()] }),
      'subject parent',
    ],
  ];

  it.each(attacks)('%s', async (_, attack, checks) => {
    await made.attested();
    await made.attested();
    attack();
    expect(await found()).toBe(checks);
  });

  const treeWith = (path: string, content: string): string => {
    made.write(path, content);
    made.git('add', '--all');
    return made.git('write-tree').trim();
  };
  const otherBase = (): string => {
    const blob = made.gitBytes(['hash-object', '-w', '--stdin'], 'other\n').toString().trim();
    const tree = made
      .gitBytes(['mktree'], `${made.git('ls-tree', 'HEAD~1')}100644 blob ${blob}\tother.txt\n`)
      .toString()
      .trim();
    return made.gitBytes(['commit-tree', tree, '-p', 'HEAD~1'], 'Other\n').toString().trim();
  };
});

describe('a taken-over kernel, whose statements the host signs, cannot make evidence', () => {
  const CASE = { file: 'test/a.test.js', name: 'refuses nothing' };
  const withRed =
    (change: object) =>
    (facts: EvidenceFacts): EvidenceFacts =>
      ({ ...facts, red: facts.red && { ...facts.red, ...change } }) as EvidenceFacts;
  const withGreen =
    (change: object) =>
    (facts: EvidenceFacts): EvidenceFacts =>
      ({ ...facts, green: facts.green && { ...facts.green, ...change } }) as EvidenceFacts;

  it.each<[string, Attested, string]>([
    ['of another tree', { facts: (facts) => ({ ...facts, tree: 'a'.repeat(40) as ObjectId }) }, 'tree'],
    ['of another parent', { facts: (facts) => ({ ...facts, parent: 'a'.repeat(40) as ObjectId }) }, 'parent'],
    ['of another session', { facts: (facts) => ({ ...facts, session_id: 's_another0001' as never }) }, 'facts review'],
    ['of explore, of a commit that says strict', { facts: explored, mode: 'strict', by: 'human' }, 'facts'],
    ['that keeps a change to itself', { facts: (facts) => ({ ...facts, changes: facts.changes.slice(1) }) }, 'changes'],
    [
      'that freezes a test as it never was',
      { facts: withRed({ test_files: [{ path: 'README.md', sha256: sha256('x') }] }) },
      'frozen',
    ],
    [
      'that freezes a test which is gone',
      { facts: withRed({ test_files: [{ path: 'test/gone.js', sha256: sha256('x') }] }) },
      'frozen',
    ],
    ['without a test that failed', { facts: withRed({ failed: [] }) }, 'outcomes'],
    [
      'with tests inside of a source that is not there',
      { facts: withRed({ tests_in_sources: [{ path: 'src/gone.rs', sha256: sha256('x') }] }) },
      'frozen',
    ],
    ['without a frozen test', { facts: withRed({ test_files: [] }) }, 'outcomes'],
    ['red after green', { facts: withRed({ at_ms: 1_700_000_009_000 }) }, 'outcomes'],
    ['of one run for both', { facts: withRed({ run_id: 't_green' }) }, 'outcomes'],
    ['without green', { facts: (facts) => ({ ...facts, green: null }) }, 'outcomes'],
    ['with nothing that passed', { facts: withGreen({ passed: 0 }) }, 'outcomes'],
    ['whose red test never passed', { facts: withGreen({ turned: [] }) }, 'outcomes'],
    ['whose red test still fails', { facts: withGreen({ failed: [CASE] }) }, 'outcomes'],
    ['with a regression', { facts: withGreen({ failed: [{ file: 'test/b.js', name: 'old' }] }) }, 'outcomes'],
    ['that policy alone let through without red', { facts: (facts) => ({ ...facts, red: null }) }, 'approval'],
    [
      'that policy alone let through with a revised test',
      { facts: (facts) => ({ ...facts, revisions: ['it was wrong'] }) },
      'approval',
    ],
    [
      'exempted for other paths than it changes',
      {
        facts: (facts) => ({
          ...facts,
          red: null,
          exemption: { category: 'docs', paths: ['README.md'], reason: 'docs' },
        }),
      },
      'approval',
    ],
    [
      'approved over something else',
      { by: 'human', request: decided({ sha256: sha256('another review') }) },
      'review approval',
    ],
    ['approved by policy over something else', { request: decided({ sha256: sha256('another review') }) }, 'review'],
    [
      'approved by nobody',
      { by: 'human', request: decided({ signature: Buffer.alloc(64).toString('base64') }) },
      'approval',
    ],
  ])('%s', async (_, wanted, checks) => {
    await made.attested({ ...wanted, blindHost: true });
    expect(await found()).toBe(checks);
  });

  function explored(facts: EvidenceFacts): EvidenceFacts {
    return { ...facts, mode: 'explore', red: null };
  }

  it('with an approval of another review, which is replayed whole', async () => {
    const { digest } = await made.attested({ by: 'human' });
    const { decision } = statementOf(digest).predicate;
    // The host checks that signature, and it is good: only the diff tells.
    await made.attested({ by: 'human', request: (request) => ({ ...request, decision }) });
    expect(await found()).toBe('review');
  });

  it('with a key of its own in place of a person’s', async () => {
    const own = generateSigningKey().key;
    const request = (asked: AttestRequest): AttestRequest => ({
      ...asked,
      decision: { ...asked.decision, by: 'human', ...approvalOf(own, asked.decision.sha256) },
    });
    await expect(made.attested({ request })).rejects.toThrow('approval key of this user');
    await made.attested({ request, blindHost: true });
    expect(await found()).toBe('approval');
    expect(await found({ hosts: [made.host.publicKey], approvers: [own.publicKey] })).toBe('verified');
  });

  function decided(change: object): (request: AttestRequest) => AttestRequest {
    return (request) => ({ ...request, decision: { ...request.decision, ...change } });
  }
});

describe('the evidence ref', () => {
  it.each<[string, (digest: Sha256) => void, string]>([
    ['emptied', () => setRef(made.gitBytes(['mktree'], '')), 'evidence'],
    [
      'pointed at a file',
      () => void made.git('update-ref', EVIDENCE_REF, made.git('rev-parse', 'HEAD:README.md').trim()),
      'evidence',
    ],
    ['with a link in place of the envelope', (digest) => setRef(tree('120000', digest)), 'evidence'],
    ['with two files of one name', (digest) => setRef(tree('100644', digest, 2)), 'evidence'],
  ])('%s proves nothing', async (_, attack, check) => {
    const { digest } = await made.attested();
    attack(digest);
    expect(await found()).toBe(check);
  });

  it('taken back to before the commit is missed, and what it still holds is good', async () => {
    await made.attested();
    const before = made.git('rev-parse', EVIDENCE_REF).trim();
    await made.attested();
    made.git('update-ref', EVIDENCE_REF, before);
    const { commits } = await verify('HEAD~2..HEAD');
    expect(commits.map(({ status }) => status)).toEqual(['broken', 'verified']);
  });

  it('of others is believed as one’s own, and what a stranger puts there harms nobody', async () => {
    const { digest, commit } = await made.attested();
    const good = made.git('rev-parse', EVIDENCE_REF).trim();
    await made.putEnvelope(digest, sealed(statementOf(digest), generateSigningKey().key), commit);
    expect(await found()).toBe('signature');
    made.git('update-ref', 'refs/fluffy/from/ada', good);
    expect(await found()).toBe('verified');
    made.git('pack-refs', '--all');
    expect(await found()).toBe('verified');
    made.git('update-ref', '-d', EVIDENCE_REF);
    made.git('update-ref', 'refs/fluffy/from/aaa', made.git('rev-parse', 'HEAD:README.md').trim());
    expect(await found()).toBe('verified');
  });

  it('elsewhere, where a branch or a tag could lie, is not looked for', async () => {
    await made.attested();
    const good = made.git('rev-parse', EVIDENCE_REF).trim();
    made.git('update-ref', '-d', EVIDENCE_REF);
    for (const ref of ['refs/heads/fluffy/evidence', 'refs/fluffy/other', 'refs/tags/evidence'])
      made.git('update-ref', ref, good);
    await expect(verify()).rejects.toMatchObject({ code: 'evidence_unavailable' });
  });

  it('that is gone is an error, not a verdict', async () => {
    await made.attested();
    made.git('update-ref', '-d', EVIDENCE_REF);
    await expect(verify()).rejects.toMatchObject({ code: 'evidence_unavailable', exitCode: 2 });
  });

  const setRef = (root: Buffer): void => {
    const commit = made.gitBytes(['commit-tree', root.toString().trim()], 'Evidence\n').toString().trim();
    made.git('update-ref', EVIDENCE_REF, commit);
  };
  const tree = (mode: string, digest: Sha256, times = 1): Buffer => {
    const [directory, name] = envelopePath(digest).split('/');
    const blob = made.git('rev-parse', `${EVIDENCE_REF}:${envelopePath(digest)}`).trim();
    const raw = Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(blob, 'hex')]);
    const inner = made.gitBytes(
      ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'],
      Buffer.concat(Array.from({ length: times }, () => raw)),
    );
    return made.gitBytes(['mktree', '--missing'], `040000 tree ${inner.toString().trim()}\t${directory}\n`);
  };
});

describe('keys', () => {
  it('that lie in the repository are refused, by any way to them', async () => {
    const line = `${formatKeyLine('host', made.host.publicKey, 'eve')}\n`;
    const inside = join(made.root, '.fluffy/keys/eve.keys');
    mkdirSync(dirname(inside), { recursive: true });
    writeFileSync(inside, line);
    const outside = join(dirname(made.root), 'team.keys');
    writeFileSync(outside, line);
    const link = join(dirname(made.root), 'link');
    symlinkSync(dirname(inside), link);
    for (const path of [inside, dirname(inside), link, join(link, 'eve.keys')]) {
      await expect(loadKeys([path], [made.root])).rejects.toMatchObject({ code: 'keys_in_repository', exitCode: 2 });
    }
    expect(await loadKeys([outside], [made.root])).toEqual({ hosts: [made.host.publicKey], approvers: [] });
  });

  it('are needed: with none that a host could have, nothing is verified', async () => {
    await made.attested();
    await expect(verify('HEAD~1..HEAD', { hosts: [], approvers: [made.approver.publicKey] })).rejects.toMatchObject({
      code: 'no_trusted_keys',
      exitCode: 2,
    });
  });

  it('of a person have to be trusted too, where a person approved', async () => {
    await made.attested({ by: 'human' });
    expect(await found({ hosts: [made.host.publicKey], approvers: [] })).toBe('approval');
    expect(await found({ hosts: [made.host.publicKey], approvers: [made.host.publicKey] })).toBe('approval');
  });
});

describe('a message that claims more than its trailers', () => {
  const evil = 'e'.repeat(64);
  it.each<[string, (text: string) => string | Buffer]>([
    ['a second digest after the first', (text) => `${text}Fluffy-Evidence: ${evil}\n`],
    ['a second digest before the first', (text) => `Fluffy-Evidence: ${evil}\n\n${text}`],
    ['a digest in the body, indented', (text) => text.replace('\n\n', `\n\n  fluffy-evidence : ${evil}\n\n`)],
    ['behind a carriage return', (text) => text.replace('\n\n', `\rFluffy-Evidence: ${evil}\n\n`)],
    ['behind a line separator', (text) => text.replace('\n\n', `\u2028Fluffy-Evidence: ${evil}\n\n`)],
    ['with a hyphen of another kind', (text) => text.replace('\n\n', `\n\nFluffy\u2010Evidence: ${evil}\n\n`)],
    ['with a full-width colon', (text) => text.replace('\n\n', `\n\nFluffy-Evidence\uff1a ${evil}\n\n`)],
    ['with a joiner inside', (text) => text.replace('\n\n', `\n\nFlu\u200dffy-Evidence: ${evil}\n\n`)],
    ['with a Cyrillic letter', (text) => text.replace('\n\n', `\n\nFluff\u0443-Evidence: ${evil}\n\n`)],
    ['with a capital I for an l', (text) => text.replace('\n\n', `\n\nFIuffy-Evidence: ${evil}\n\n`)],
    ['something after the trailers', (text) => `${text}\nSigned-off-by: Eve\n`],
    ['without a mode', (text) => text.replace(/Fluffy-Mode.*\n/, '')],
    ['in capitals', (text) => text.replace('Fluffy-Evidence', 'FLUFFY-EVIDENCE')],
    ['that is not UTF-8', (text) => Buffer.concat([Buffer.from([0xff]), Buffer.from(text)])],
  ])('%s is broken, not believed', async (_, change) => {
    await made.attested();
    remake({ message: change(message()) });
    expect(await found()).toBe('trailers');
  });

  it('a message without any is unattested, and said to be', async () => {
    await made.attested();
    remake({ message: 'Change a\n' });
    expect(await found()).toBe('unattested');
  });
});
