import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MAX_IMAGE_BYTES } from '../../contracts/model/image.ts';
import { imageTypeOf } from '../../lib/images/image-type.ts';

export type ClipboardImage =
  | { readonly kind: 'saved'; readonly path: string }
  /** `why` says what to do instead. */
  | { readonly kind: 'none'; readonly why: string };

interface ClipboardParts {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  /** Full path of a program. */
  readonly find: (program: string) => string | undefined;
  /** Writes the image to a file. Resolves to the path. */
  readonly keep: (png: Uint8Array) => Promise<string>;
}

interface Reader {
  readonly program: string;
  readonly args: readonly string[];
  /** What installs it. */
  readonly package: string;
}

const OTHER_WAY = 'To attach an image by its path, write @~/picture.png.';
const READ_WITHIN_MS = 5_000;

/** The image in this machine's clipboard, as PNG. */
export async function clipboardImage({ env, platform, find, keep }: ClipboardParts): Promise<ClipboardImage> {
  const reader = clipboardReader(env, platform);
  if (reader === null) return none('There is no clipboard with images here.');
  const program = find(reader.program);
  if (program === undefined)
    return none(`${reader.program} reads images from the clipboard: install ${reader.package}.`);
  const limits = { timeout: READ_WITHIN_MS, maxBuffer: MAX_IMAGE_BYTES };
  try {
    const { stdout } = await promisify(execFile)(program, [...reader.args], { encoding: 'buffer', ...limits });
    if (imageTypeOf(stdout) !== 'image/png') return none('The clipboard has no image.');
    return { kind: 'saved', path: await keep(stdout) };
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
    return none(
      isLarge ? `The image of the clipboard has more than ${MAX_IMAGE_BYTES} bytes.` : 'The clipboard has no image.',
    );
  }
}

/** The program that reads an image on this kind of desktop; null if there is none, for example over ssh. */
function clipboardReader(env: ClipboardParts['env'], platform: NodeJS.Platform): Reader | null {
  if (platform === 'darwin') return { program: 'pngpaste', args: ['-'], package: 'pngpaste' };
  if ((env['WAYLAND_DISPLAY'] ?? '') !== '')
    return { program: 'wl-paste', args: ['--no-newline', '--type', 'image/png'], package: 'wl-clipboard' };
  if ((env['DISPLAY'] ?? '') !== '')
    return { program: 'xclip', args: ['-selection', 'clipboard', '-target', 'image/png', '-out'], package: 'xclip' };
  return null;
}

function none(why: string): ClipboardImage {
  return { kind: 'none', why: `${why} ${OTHER_WAY}` };
}
