import { parse } from 'yaml';
import { z } from 'zod';
import { imageReferenceSchema } from '../../host/images/project-image.ts';
import { readProjectFiles } from '../config/project-files.ts';

/** What a project's devcontainer.json says of an image. It is the project's word: nothing is done by it without a person's yes. */
export type Devcontainer =
  | { readonly kind: 'image'; readonly file: string; readonly image: string }
  /** It has none, or one that is built first, or whose name has variables in it. */
  | { readonly kind: 'other'; readonly file: string }
  | { readonly kind: 'none' };

const FILES = ['.devcontainer/devcontainer.json', '.devcontainer.json'] as const;
const schema = z.object({ image: imageReferenceSchema });
const STRING_OR_COMMENT = /"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

export function readDevcontainer(projectRoot: string): Devcontainer {
  const project = readProjectFiles(projectRoot);
  const file = FILES.find((path) => project.text(path) !== '');
  if (file === undefined) return { kind: 'none' };
  const named = schema.safeParse(valueOf(project.text(file)));
  return named.success ? { kind: 'image', file, image: named.data.image } : { kind: 'other', file };
}

/** YAML takes JSON, and the commas behind the last entry that people write; the comments are not its own. */
function valueOf(text: string): unknown {
  try {
    return parse(text.replace(STRING_OR_COMMENT, (found) => (found.startsWith('"') ? found : ' ')));
  } catch {
    return undefined;
  }
}
