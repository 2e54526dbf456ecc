import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rangeExitCode, verifyRange } from '../../../../src/cli/audit/range/verify-range.ts';
import type { RangeVerdict } from '../../../../src/cli/audit/range/verify-range.ts';
import { parseCondition } from '../../../../src/lib/evidence/conditions.ts';
import { openHistory } from '../../../../src/platform/git/history.ts';
import { makeAttestedRepository } from '../../../support/attested-repository.ts';
import type { AttestedRepository } from '../../../support/attested-repository.ts';

let made: AttestedRepository;
beforeEach(() => {
  made = makeAttestedRepository();
});
afterEach(() => made.remove());

async function verify(range: string, required: string | null = null): Promise<RangeVerdict> {
  const gitDir = `${made.root}/.git`;
  const history = openHistory({ root: made.root, gitDir, commonDir: gitDir });
  const keys = { hosts: [made.host.publicKey], approvers: [made.approver.publicKey] };
  try {
    const condition = required === null ? null : parseCondition(required);
    return await verifyRange({ history, range, keys, require: condition === null ? [] : [condition] });
  } finally {
    await history.close();
  }
}

const statuses = ({ commits }: RangeVerdict): string[] => commits.map(({ status }) => status);

it.each(['HEAD~9', 'nowhere', 'main^3'])(
  'names a revision that is not there as it was written: %s',
  async (revision) => {
    await made.attested();
    await expect(verify(`${revision}..HEAD`)).rejects.toMatchObject({
      code: 'usage',
      what: `The revision ${revision} cannot be used`,
    });
  },
);

describe('a range of commits', () => {
  it('is verified where evidence holds, by policy and by a person', async () => {
    const first = await made.attested();
    const second = await made.attested({ by: 'human' });
    const verdict = await verify('HEAD~2..HEAD');
    expect(verdict.commits.flatMap(({ problems }) => problems)).toEqual([]);
    expect(verdict).toMatchObject({
      intact: true,
      counts: { verified: 2, unverified: 0, unattested: 0, broken: 0 },
      commits: [
        { commit: second.commit, status: 'verified', evidence: second.digest, proof: { decided: { by: 'human' } } },
        {
          commit: first.commit,
          status: 'verified',
          proof: { red: { cases: 1, frozen: 1 }, decided: { by: 'policy' } },
        },
      ],
    });
    expect(rangeExitCode(verdict)).toBe(0);
  });

  it.each<[string | null, string, number]>([
    [null, 'is not broken by commits of others', 0],
    ['attested', 'has to have evidence throughout if that is required', 10],
  ])('requiring %s, %s', async (require, _, exitCode) => {
    await made.attested();
    made.write('b.js', 'x\n');
    made.commit('By hand');
    const verdict = await verify('HEAD~2..HEAD', require);
    expect(statuses(verdict)).toEqual(['unattested', 'verified']);
    expect(rangeExitCode(verdict)).toBe(exitCode);
  });

  it.each<[string | null, number]>([
    [null, 0],
    ['attested', 0],
    ['verified', 10],
  ])('requiring %s, with a commit that no test failed first for, exits %i', async (require, exitCode) => {
    await made.attested({ by: 'human', facts: (facts) => ({ ...facts, mode: 'explore', red: null }) });
    const verdict = await verify('HEAD~1..HEAD', require);
    expect(verdict.commits).toMatchObject([{ status: 'unverified', proof: { mode: 'explore-unverified', red: null } }]);
    expect(rangeExitCode(verdict)).toBe(exitCode);
  });
});
