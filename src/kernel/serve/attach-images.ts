import { createHash } from 'node:crypto';
import { MAX_IMAGES, MAX_IMAGE_BYTES } from '../../contracts/model/image.ts';
import type { GivenImage, ImageType, MessageImage } from '../../contracts/model/image.ts';
import { CORE_TAGS } from '../../contracts/policy.ts';
import { imageFlaw } from '../../lib/images/image-flaw.ts';
import { namedImages } from '../../lib/images/image-paths.ts';
import type { NamedImage } from '../../lib/images/image-paths.ts';
import { imageTypeOf } from '../../lib/images/image-type.ts';
import { askPolicy } from '../access/ask-policy.ts';
import { IN_KERNEL, heldTo, lexicalTarget } from '../policy/index.ts';
import { record } from '../record/audit-trail.ts';
import type { Services } from '../services.ts';
import { modelInUse } from '../session/model-in-use.ts';
import type { Session } from '../session/session.ts';

type Found = { readonly kind: 'bytes'; readonly bytes: Buffer } | { readonly kind: 'refused'; readonly why: string };

/**
 * Stores the images of a message with the session: project files that it names, read under the model's policy, and
 * images from elsewhere that the host has read. An image that policy hides, that is invalid or that is too large is
 * left out, and the user reads why.
 */
export async function attachImages(
  services: Services,
  session: Session,
  { text, images: given = [] }: { readonly text: string; readonly images?: readonly GivenImage[] | undefined },
): Promise<readonly MessageImage[]> {
  const images: MessageImage[] = [];
  const take = (name: string, found: Found): void => {
    const type = found.kind === 'refused' ? null : imageTypeOf(found.bytes);
    const why = found.kind === 'refused' ? found.why : obstacleTo(found.bytes, type, images.length);
    if (found.kind === 'refused' || type === null || why !== null) {
      report(session, `The image ${name} is not sent`, why ?? NO_IMAGE);
      return;
    }
    const reference = `image_${createHash('sha256').update(found.bytes).digest('hex').slice(0, 16)}`;
    session.keepOutput(reference, found.bytes.toString('base64'));
    images.push({ reference, name, media_type: type });
  };
  const others = new Set(given.map(({ name }) => name));
  for (const named of namedImages(text).filter(({ path }) => !others.has(path))) {
    const found = await readProjectImage(services, session, named);
    if (found !== null) take(named.path, found);
  }
  for (const image of given) {
    take(
      image.name,
      'why' in image
        ? { kind: 'refused', why: image.why }
        : { kind: 'bytes', bytes: Buffer.from(image.data, 'base64') },
    );
  }
  // An image that is named again is tried again.
  const again = new Set(images.map(({ reference }) => reference));
  session.update({
    refused_images: session.snapshot.refused_images.filter(({ reference }) => !again.has(reference)),
  });
  if (images.length > 0 && modelInUse(session).images !== true) {
    report(session, `${modelInUse(session).model} cannot see images`, 'it reads only that there is one');
  }
  return images;
}

/** null: it is ordinary text, because the project has no such file. */
async function readProjectImage(
  services: Services,
  session: Session,
  { path: named, isAttached }: NamedImage,
): Promise<Found | null> {
  const workspace = await services.workspaces.open(session.id);
  const root = services.options.project_root;
  const { cwd } = session.snapshot.options;
  // People write a path relative to their directory, and `@` paths relative to the project.
  let obstacle: string | null = null;
  for (const each of cwd === '' || named.startsWith('/') ? [named] : [`${cwd}/${named}`, named]) {
    const target = lexicalTarget(each, root);
    if (target.kind !== 'ok') continue;
    const resolved = await workspace.resolve(target.path, { leaf: 'follow' });
    if (resolved.kind !== 'ok') {
      obstacle = resolved.reason;
      continue;
    }
    if (!resolved.exists) {
      obstacle ??= isAttached ? 'the file does not exist' : null;
      continue;
    }
    const { state, mode } = session;
    const request = { syscall: 'fs.read', path: resolved.path, state, mode, tags: CORE_TAGS };
    const decision = heldTo(await askPolicy(services, request), IN_KERNEL);
    const isAllowed = decision.decision === 'allow';
    record(services, session, 'syscall', {
      syscall_type: 'fs.read',
      caller: 'user',
      policy_decision: isAllowed ? 'allowed' : 'denied',
      input_summary: resolved.path,
    });
    if (!isAllowed) return { kind: 'refused', why: `policy closes it: ${decision.reasons.join('; ')}` };
    const read = await workspace.read(resolved.path, MAX_IMAGE_BYTES);
    if (read.kind === 'file') return { kind: 'bytes', bytes: read.bytes };
    return { kind: 'refused', why: WHY_UNREAD[read.kind] };
  }
  return obstacle === null ? null : { kind: 'refused', why: obstacle };
}

const TOO_LARGE = `it has more than ${MAX_IMAGE_BYTES} bytes`;

const WHY_UNREAD = {
  'too-large': TOO_LARGE,
  missing: 'the file does not exist',
  'not-a-file': 'it is not a file',
  refused: 'it cannot be read',
} as const;
const NO_IMAGE = 'it is not an image';

function obstacleTo(bytes: Buffer, type: ImageType | null, taken: number): string | null {
  if (taken >= MAX_IMAGES) return `a message takes ${MAX_IMAGES} images`;
  if (bytes.length > MAX_IMAGE_BYTES) return TOO_LARGE;
  return type === null ? NO_IMAGE : imageFlaw(bytes, type);
}

function report(session: Session, what: string, why: string): void {
  session.emit({
    type: 'notice',
    level: 'warn',
    what,
    why,
    fix: 'PNG, JPEG, GIF and WebP go to models that see; fluffy models lists them, /model takes another',
    code: 'image_not_seen',
  });
}
