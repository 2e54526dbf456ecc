import { describe, expect, it } from 'vitest';
import type { PackageRequest } from '../../../src/contracts/sandbox/package-managers.ts';
import { pip } from '../../../src/kernel/packages/pip.ts';

const HASH = `--hash=sha256:${'a'.repeat(64)}`;
const LOCKED = `idna==3.4 ${HASH}\n`;
const ADD: PackageRequest = { kind: 'add', name: 'PyYAML', dev: false };
const done = (text: string, lockfile = text) => ({
  kind: 'done' as const,
  manifest: text,
  lockfile,
  facts: [],
  scripts_run: [],
  scripts_skipped: ['pyyaml'],
});
const judge = (before: string, after: string, request: PackageRequest = ADD) =>
  pip.judge({ manifest: before, lockfile: before }, done(after), request);
const whyNot = (text: string, request: PackageRequest = ADD) => pip.whyNot({ manifest: text, lockfile: text }, request);

describe('what pip has added', () => {
  it('is good where it is new lines with versions and hashes', () => {
    const judged = judge(LOCKED, `${LOCKED}pyyaml==6.0.1 \\\n    ${HASH} \\\n    ${HASH}\nsix==1.16 ${HASH}\n`);
    expect(judged).toMatchObject({
      kind: 'good',
      installed: 3,
      added: [
        { name: 'pyyaml', version: '6.0.1', hasInstallScript: true },
        { name: 'six', version: '1.16', hasInstallScript: false },
      ],
    });
  });

  it('is good as one line where the others have no hashes', () => {
    expect(judge('idna', 'idna\nPyYAML>=6\n')).toMatchObject({ kind: 'good', installed: 2 });
  });

  it.each([
    ['a line that was there', LOCKED, `idna==3.5 ${HASH}\npyyaml==6 ${HASH}\n`, 'beyond new lines'],
    ['a package without a hash', LOCKED, `${LOCKED}pyyaml==6 ${HASH}\nsix==1\n`, 'others have none'],
    ['a range', LOCKED, `${LOCKED}pyyaml>=6 ${HASH}\n`, 'no exact version'],
    ['another package instead', LOCKED, `${LOCKED}yaml==6 ${HASH}\n`, 'has no pyyaml'],
    ['a second line of a package', LOCKED, `${LOCKED}pyyaml==6 ${HASH}\nIDNA==3.4 ${HASH}\n`, 'twice'],
    ['more than was requested', 'idna\n', 'idna\npyyaml==6\nsix==1\n', 'more than pyyaml'],
    ['an option', LOCKED, `${LOCKED}--index-url http://evil/\npyyaml==6 ${HASH}\n`, 'cannot be read'],
    ['an address', LOCKED, `${LOCKED}pyyaml @ https://evil/y.whl ${HASH}\n`, 'cannot be read'],
  ])('is refused where it has %s', (_what, before, after, why) => {
    expect(judge(before, after)).toEqual({ kind: 'refused', why: expect.stringContaining(why) as string });
  });

  it('is refused where the two files differ', () => {
    expect(pip.judge({ manifest: '', lockfile: '' }, done(LOCKED, ''), ADD)).toMatchObject({ kind: 'refused' });
  });

  it('is refused where an installation has changed a line', () => {
    expect(judge(LOCKED, `${LOCKED}\n`, { kind: 'install' })).toMatchObject({ kind: 'refused' });
    expect(judge(LOCKED, LOCKED, { kind: 'install' })).toMatchObject({ kind: 'good', installed: 1 });
  });
});

describe('before anything is fetched', () => {
  it.each(['-r other.txt', '-e .', './x.whl', 'x @ file:///x', 'git+https://evil/x', '--find-links=/x', '..'])(
    'the line %s is refused',
    (line) => {
      expect(whyNot(`idna\n${line}\n`)).toContain('names packages of the index and nothing else');
    },
  );

  it.each([
    ['a mix of lines with and without hashes', `${LOCKED}six\n`, ADD, 'others have none'],
    ['a package that is listed', 'pyyaml~=6.0 # ours\n', ADD, 'already'],
    ['a section for development', '', { ...ADD, dev: true }, 'no section for development'],
    ['a version of npm', '', { ...ADD, version: '^6' }, 'not a valid version for pip'],
    ['an empty list', '# nothing\n', { kind: 'install' }, 'names no package'],
  ] as const)('%s is refused', (_what, text, request, why) => {
    expect(whyNot(text, request)).toContain(why);
  });

  it.each(['idna', 'idna[all] >= 3, <4 ; python_version > "3.8"', LOCKED, '', '# only a comment\n'])(
    'the text %j is fine',
    (text) => {
      expect(whyNot(text, { ...ADD, version: '6.0.1' })).toBeNull();
    },
  );
});
