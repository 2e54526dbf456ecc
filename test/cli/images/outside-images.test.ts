import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { outsideImages } from '../../../src/cli/images/outside-images.ts';
import { MAX_IMAGE_BYTES } from '../../../src/contracts/model/image.ts';

const home = mkdtempSync(join(tmpdir(), 'fluffy-images-'));
const projectRoot = join(home, 'project');
mkdirSync(projectRoot);
for (const path of ['shot.png', 'project/in.png']) writeFileSync(join(home, path), 'GIF89a');
writeFileSync(join(home, 'huge.png'), Buffer.alloc(MAX_IMAGE_BYTES + 1));
mkdirSync(join(home, 'folder.png'));
execFileSync('mkfifo', [join(home, 'pipe.png')]);
afterAll(() => rmSync(home, { recursive: true }));

const named = (text: string) => outsideImages(text, { projectRoot, invokerDir: projectRoot, home });
const data = Buffer.from('GIF89a').toString('base64');

describe('images outside of the project', () => {
  it.each(['~/shot.png', '../shot.png', join(home, 'shot.png')])('%s is read', async (name) => {
    expect(await named(`what is ${name}?`)).toEqual([{ name, data }]);
  });

  it.each(['in.png', `${projectRoot}/in.png`, '~/missing.png', '~/shot.txt'])('%s is not', async (name) => {
    expect(await named(`what is ${name}?`)).toEqual([]);
  });

  it.each([
    ['~/folder.png', 'it is not a file'],
    ['~/pipe.png', 'it is not a file'],
    ['@~/missing.png', 'the file does not exist'],
  ])('%s is named with the reason', async (path, why) => {
    expect(await named(`what is ${path}?`)).toEqual([{ name: path.replace('@', ''), why }]);
  });

  it('one that is too large says so', async () => {
    expect(await named('~/huge.png')).toMatchObject([
      { name: '~/huge.png', why: expect.stringMatching('more than') as string },
    ]);
  });
});
