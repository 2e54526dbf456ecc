import { describe, expect, it } from 'vitest';
import { withImages } from '../../../src/kernel/context/images.ts';
import { attachImages } from '../../../src/kernel/serve/attach-images.ts';
import { buildRequest } from '../../../src/kernel/run/model/request.ts';
import { addUserMessage } from '../../../src/kernel/session/user-messages.ts';
import { MAX_IMAGES, MAX_SENT_IMAGES, MAX_SENT_IMAGE_CHARACTERS } from '../../../src/contracts/model/image.ts';
import type { GivenImage } from '../../../src/contracts/model/image.ts';
import { policyOf } from '../../support/kernel/policies.ts';
import { testKernel } from '../../support/kernel/test-kernel.ts';

/** One pixel, with no byte that is not ASCII. */
const GIF = 'GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;';
const POLICY = policyOf(`capabilities:
  - { name: reads, match: { syscall: fs.read }, action: allow }
  - { name: private, match: { syscall: fs.read, path_glob: "private/**" }, action: deny, reason: private pictures }
`);

function scene(images: boolean | undefined = true, cwd = '') {
  const files = {
    'shot.gif': GIF,
    'docs/in.gif': GIF,
    'private/me.gif': GIF,
    'notes.png': 'no image at all',
    'cut.gif': GIF.slice(0, 20),
  };
  const options = { cwd, ...(images === undefined ? {} : { images }) };
  const kernel = testKernel({ files, policy: POLICY, options });
  const say = async (text: string, given?: readonly GivenImage[]) => {
    const found = await attachImages(kernel.services, kernel.session, { text, images: given });
    addUserMessage(kernel.session, { text, images: found });
    return found.map(({ name }) => name);
  };
  const sent = () => buildRequest(kernel, kernel.session.snapshot.options).messages.at(-1);
  const why = () => kernel.eventsOf('notice').map((notice) => `${notice.what}: ${notice.why}`);
  return { ...kernel, say, sent, why };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('images of a message', () => {
  it('go to a model that sees, and the conversation holds their names alone', async () => {
    const talk = scene();
    expect(await talk.say('what is in @shot.gif?')).toEqual(['shot.gif']);
    expect(talk.sent()).toMatchObject({ images: [{ media_type: 'image/gif', data: base64(GIF) }] });
    expect(JSON.stringify(talk.session.messages)).not.toContain(base64(GIF));
    expect(talk.why()).toEqual([]);
  });

  it.each(['in.gif', 'docs/in.gif', '/project/docs/in.gif', './in.gif'])('%s is found from docs/', async (path) => {
    expect(await scene(true, 'docs').say(path)).toEqual([path]);
  });

  it.each<[string, RegExp]>([
    ['private/me.gif', /policy closes it: private pictures/],
    ['docs/../private/me.gif', /policy closes it/],
    ['notes.png', /it is not an image/],
    ['cut.gif', /cut off or damaged/],
    ['@missing.gif', /the file does not exist/],
  ])('%s is refused, and the user reads why', async (path, expected) => {
    const talk = scene();
    expect(await talk.say(`see ${path}`)).toEqual([]);
    expect(talk.why()).toMatchObject([expect.stringMatching(expected)]);
    expect(talk.sent()).not.toHaveProperty('images');
  });

  it.each(['missing.gif', '../../etc/x.png', 'https://example.org/shot.gif'])('%s is only text', async (path) => {
    const talk = scene();
    expect(await talk.say(path)).toEqual([]);
    expect(talk.why()).toEqual([]);
  });

  it('are named to a model that does not see, and to its user', async () => {
    const talk = scene(false);
    await talk.say('what is in shot.gif?');
    expect(talk.sent()).toMatchObject({
      text: 'what is in shot.gif?\n[image shot.gif: you cannot see images]',
    });
    expect(talk.sent()).not.toHaveProperty('images');
    expect(talk.why()).toEqual(['replay/x cannot see images: it reads only that there is one']);
  });

  it('from elsewhere are taken as the host read them, if they are images', async () => {
    const talk = scene();
    const given = [
      { name: '/tmp/a.gif', data: base64(GIF) },
      { name: '/tmp/key.png', data: base64('-----BEGIN') },
      { name: '/tmp/huge.png', why: 'it has too many bytes' },
    ];
    expect(await talk.say('look', given)).toEqual(['/tmp/a.gif']);
    expect(talk.why()).toEqual([
      'The image /tmp/key.png is not sent: it is not an image',
      'The image /tmp/huge.png is not sent: it has too many bytes',
    ]);
  });

  it(`are at most ${MAX_IMAGES}`, async () => {
    const given = Array.from({ length: MAX_IMAGES + 1 }, (_, index) => ({ name: `${index}`, data: base64(GIF) }));
    expect(await scene().say('look', given)).toHaveLength(MAX_IMAGES);
  });
});

it('the newest images are sent where not all of them fit into a request', () => {
  const image = (reference: string) => ({ reference, name: reference, media_type: 'image/png' as const });
  const messages = ['old', 'middle', 'new'].map((name) => ({
    role: 'user' as const,
    text: name,
    images: [image(name)],
  }));
  const data = 'x'.repeat(MAX_SENT_IMAGE_CHARACTERS / 2);
  const sent = withImages(messages, { read: () => data, refused: new Set() });
  expect(sent.map((message) => 'images' in message)).toEqual([false, true, true]);
  expect(sent[0]).toMatchObject({ text: 'old\n[image old: removed to save room]' });
});

it('a request holds no more images than vendors take at full size', () => {
  const images = ['a', 'b', 'c'].map((reference) => ({ reference, name: reference, media_type: 'image/png' as const }));
  const messages = Array.from({ length: 10 }, () => ({ role: 'user' as const, text: 'look', images }));
  const sent = withImages(messages, { read: () => 'x', refused: new Set() });
  const counts = sent.map((message) => ('images' in message ? (message.images?.length ?? 0) : 0));
  expect(counts.reduce((sum, count) => sum + count)).toBe(MAX_SENT_IMAGES);
  expect(counts.at(-1)).toBe(3);
});
