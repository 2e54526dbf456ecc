import type { FileChange } from '../../../contracts/review/change-set.ts';
import type { ProjectPath } from '../../../contracts/ids.ts';
import type { Workspace } from '../../../contracts/ports/workspace.ts';
import { decodeUtf8 } from '../../../lib/text/decode-utf8.ts';
import { EXEMPTION_CATEGORIES } from '../../policy/index.ts';
import { MAX_TYPED_BYTES, differsWithoutTypes, whyNotComparable } from './type-only-file.ts';
import type { FileVersions } from './type-only-file.ts';
import type { Session } from '../../session/session.ts';
import type { Services } from '../../services.ts';

/** Whether the session works under an exemption that allows only changes of types. */
export function exemptAsTypeOnly(services: Services, { snapshot: { exemption } }: Session): boolean {
  if (exemption === null) return false;
  const category = EXEMPTION_CATEGORIES.find((each) => each === exemption.category);
  return category === undefined || services.policy().tddExemptions.get(category)?.typeOnlyChange === true;
}

/**
 * Signs, in project files, of compilers that generate code from types: metadata of decorators, properties of
 * components, validators. With such a compiler, a change of a type in one file can change the program in another file.
 */
const CODE_FROM_TYPES = [
  {
    pattern: '(emitDecoratorMetadata|decoratorMetadata)["\']?\\s*:\\s*true',
    globs: ['*.json', '*.jsonc', '*.config.*', '.swcrc'],
  },
  {
    pattern:
      '"(reflect-metadata|typia|ts-patch|ttypescript|vue|@angular/core|@nestjs/core|typeorm|@deepkit/type-compiler)"\\s*:',
    globs: ['package.json'],
  },
] as const;

/** Returns why types of this project can become code, independent of any single file. null if no reason is known. */
export async function codeFromTypes(workspace: Workspace, signal: AbortSignal): Promise<string | null> {
  for (const { pattern, glob } of CODE_FROM_TYPES.flatMap(({ pattern, globs }) =>
    globs.map((glob) => ({ pattern, glob })),
  )) {
    const query = {
      pattern,
      path: '' as ProjectPath,
      glob,
      ignoreCase: false,
      contextLines: 0,
      maxResults: 1,
    };
    const found = await workspace.grep(query, signal);
    if (found.kind !== 'ok')
      return 'the settings of the project could not be searched for compilers that make code of types';
    const [match] = found.matches;
    if (match !== undefined) return `${match.path}:${match.line} names a compiler that makes code of types`;
  }
  return null;
}

/**
 * Returns, for each file, why the staged change is not known to change only types. Empty if it changes only types. The
 * decision uses the bytes of the staged files and of the project. No code of the project runs, and no setting of the
 * project is followed.
 */
export async function whyNotTypeOnly(
  services: Services,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const compiled = await codeFromTypes(workspace, signal);
  if (compiled !== null) return [compiled];
  const changes = (await workspace.changes()).filter(
    ({ before, after }) => before.kind !== 'absent' || after.kind !== 'directory',
  );
  const scratch = await services.workspaces.scratch();
  try {
    const reasons: string[] = [];
    const comparable: FileVersions[] = [];
    for (const change of changes) {
      const versions = await versionsOf(change, scratch.workspace, workspace);
      const why = typeof versions === 'string' ? versions : whyNotComparable(versions);
      if (why !== null) reasons.push(`${change.path}: ${why}`);
      else if (typeof versions !== 'string') comparable.push(versions);
    }
    const stripped = await services.stripTypes(comparable.flatMap(({ before, after }) => [before ?? '', after ?? '']));
    for (const [index, { path }] of comparable.entries()) {
      const [before, after] = [stripped[2 * index], stripped[2 * index + 1]];
      const why =
        before === undefined || after === undefined
          ? 'it could not be compared'
          : differsWithoutTypes(path, before, after);
      if (why !== null) reasons.push(`${path}: ${why}`);
    }
    return reasons;
  } finally {
    await scratch.close();
  }
}

/** Returns both texts of a changed file, or why they cannot be compared. */
async function versionsOf(change: FileChange, project: Workspace, staged: Workspace): Promise<FileVersions | string> {
  const { path, before, after } = change;
  if (before.kind === 'file' && after.kind === 'file' && before.executable !== after.executable)
    return 'its executable bit changes';
  const old = await textOf(project, path, before);
  const fresh = await textOf(staged, path, after);
  if (old.kind === 'refused') return old.why;
  if (fresh.kind === 'refused') return fresh.why;
  return { path, before: old.text, after: fresh.text };
}

type Text = { readonly kind: 'ok'; readonly text: string | null } | { readonly kind: 'refused'; readonly why: string };

async function textOf(workspace: Workspace, path: string, state: FileChange['before']): Promise<Text> {
  if (state.kind === 'absent') return { kind: 'ok', text: null };
  if (state.kind !== 'file') return { kind: 'refused', why: 'it is not a regular file' };
  const read = await workspace.read(path as ProjectPath, MAX_TYPED_BYTES);
  if (read.kind === 'too-large') return { kind: 'refused', why: `it has more than ${MAX_TYPED_BYTES} bytes` };
  if (read.kind !== 'file' || read.state.sha256 !== state.sha256)
    return { kind: 'refused', why: 'it changed in the meantime' };
  const text = decodeUtf8(read.bytes);
  return text === null ? { kind: 'refused', why: 'it is not UTF-8 text' } : { kind: 'ok', text };
}
