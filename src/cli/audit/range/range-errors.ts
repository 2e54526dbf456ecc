import { EVIDENCE_REF } from '../../../contracts/review/evidence.ts';
import { EXIT } from '../../../contracts/exit-codes.ts';
import { FluffyError } from '../../../contracts/fluffy-error.ts';

type Incompleteness = 'shallow' | 'partial' | null;

export function notARange(text: string): FluffyError {
  return new FluffyError({
    code: 'usage',
    what: `--range ${text} is not a range`,
    why: 'a range is two revisions with two dots between them: the commits of the second that the first does not have',
    fix: 'Write it like origin/main..HEAD; revisions are names, ids, and these with ~N or ^N',
    exitCode: EXIT.usage,
  });
}

export function unknownRevision(name: string, why: string, incompleteness: Incompleteness): FluffyError {
  return new FluffyError({
    code: 'usage',
    what: `The revision ${name} cannot be used`,
    why: incompleteness === null ? why : `${why}, and the clone is ${incompleteness}`,
    fix:
      incompleteness === null
        ? 'Name a branch, a tag or a commit of this repository; refs/heads/…, refs/tags/… and refs/remotes/… in full are never mistaken'
        : completion(incompleteness),
    exitCode: EXIT.usage,
  });
}

export function incomplete(id: string, why: string, incompleteness: Incompleteness): FluffyError {
  return new FluffyError({
    code: 'history_incomplete',
    what: `Object ${id} cannot be read`,
    why: incompleteness === null ? why : `${why}, which is ${incompleteness}`,
    fix: completion(incompleteness),
    exitCode: EXIT.usage,
  });
}

function completion(incompleteness: Incompleteness): string {
  switch (incompleteness) {
    case 'shallow':
      return 'Run `git fetch --unshallow` (in CI: a checkout with its whole history, fetch-depth 0)';
    case 'partial':
      return 'Fetch everything: run `git fetch --refetch --no-filter`, or clone without --filter';
    case null:
      return 'Check the repository with `git fsck`';
  }
}

export function noEvidenceRef(): FluffyError {
  return new FluffyError({
    code: 'evidence_unavailable',
    what: 'The evidence of the commits is not here',
    why: `this clone has no ${EVIDENCE_REF}, which git does not fetch by itself`,
    fix: "Run `git fetch origin 'refs/fluffy/*:refs/fluffy/*'`; if the remote has none, push it from where the commits were made: `git push origin refs/fluffy/evidence`",
    exitCode: EXIT.usage,
  });
}

export function noHostKeys(): FluffyError {
  return new FluffyError({
    code: 'no_trusted_keys',
    what: 'There is no key to verify the evidence against',
    why: 'no --keys was given, or it has no key of a host, and you have no key of your own',
    fix: 'Run `fluffy audit keys > team.keys` where the commits are made, copy the file here by a way that you trust, and pass --keys team.keys',
    exitCode: EXIT.usage,
  });
}
