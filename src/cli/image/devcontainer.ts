import { posix } from 'node:path';
import { z } from 'zod';
import { imageReferenceSchema } from '../../host/images/project/project-image.ts';
import { parseJsonc } from '../../lib/parse-jsonc.ts';
import { readProjectFiles } from '../config/init/project-files.ts';

/** The image in a project's devcontainer.json. It comes from the project: nothing is done with it without a person's yes. */
export type Devcontainer =
  | { readonly kind: 'image'; readonly file: string; readonly image: string }
  /** It names no image, or one that must be built first, or a name with variables. */
  | { readonly kind: 'other'; readonly file: string }
  /** It exists, but is a link, empty, or too long. */
  | { readonly kind: 'unreadable'; readonly file: string }
  | { readonly kind: 'none' };

const FILES = ['.devcontainer/devcontainer.json', '.devcontainer.json'] as const;
const schema = z.object({ image: imageReferenceSchema });

export function readDevcontainer(projectRoot: string): Devcontainer {
  const project = readProjectFiles(projectRoot);
  const file = FILES.find((path) => project.names(parentOf(path)).includes(posix.basename(path)));
  if (file === undefined) return { kind: 'none' };
  const text = project.text(file);
  if (text === '') return { kind: 'unreadable', file };
  const named = schema.safeParse(parseJsonc(text));
  return named.success ? { kind: 'image', file, image: named.data.image } : { kind: 'other', file };
}

/** In the form of the listings of a project. */
function parentOf(path: string): string {
  const parent = posix.dirname(path);
  return parent === '.' ? '' : parent;
}
