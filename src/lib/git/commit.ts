import type { ObjectId } from '../../contracts/ids.ts';
import type { CommitSignature } from '../../contracts/review/prepared-commit.ts';
import { parseObjectId } from './object-id.ts';

export interface CommitFields {
  readonly tree: ObjectId;
  readonly parents: readonly ObjectId[];
  readonly author: CommitSignature;
  readonly committer: CommitSignature;
  /** Ends in a newline. */
  readonly message: string;
}

/** `Name <email> 1700000000 +0100`, as in commits and reflogs. */
export function formatSignature(signature: CommitSignature): string {
  return `${signature.name} <${signature.email}> ${formatDate(signature)}`;
}

/** `1700000000 +0100`: git's raw date, also understood in GIT_AUTHOR_DATE (with a leading @). */
export function formatDate({ seconds, offsetMinutes }: Pick<CommitSignature, 'seconds' | 'offsetMinutes'>): string {
  const sign = offsetMinutes < 0 ? '-' : '+';
  const minutes = Math.abs(offsetMinutes);
  const digits = Math.floor(minutes / 60) * 100 + (minutes % 60);
  return `${seconds} ${sign}${String(digits).padStart(4, '0')}`;
}

/** A commit object in UTF-8, without signature or extra headers. */
export function encodeCommit(fields: CommitFields): Buffer {
  const lines = [
    `tree ${fields.tree}`,
    ...fields.parents.map((parent) => `parent ${parent}`),
    `author ${formatSignature(fields.author)}`,
    `committer ${formatSignature(fields.committer)}`,
  ];
  return Buffer.from(`${lines.join('\n')}\n\n${fields.message}`);
}

/** The tree and parents of a commit object; null if it is malformed. Nothing else of a foreign commit is needed. */
export function parseCommitLinks(content: Buffer): { tree: ObjectId; parents: ObjectId[] } | null {
  const headerEnd = content.indexOf('\n\n');
  const lines = content.toString('latin1', 0, headerEnd < 0 ? content.length : headerEnd).split('\n');
  const tree = lines[0]?.startsWith('tree ') === true ? parseObjectId(lines[0].slice(5)) : null;
  if (tree === null) return null;
  const parents: ObjectId[] = [];
  for (const line of lines.slice(1)) {
    if (!line.startsWith('parent ')) break;
    const parent = parseObjectId(line.slice(7));
    if (parent === null) return null;
    parents.push(parent);
  }
  return { tree, parents };
}
