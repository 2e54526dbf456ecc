import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_BYTES = 256;
const MAX_LINKS = 5;
/** Names that nvm gives to versions: `default`, `lts/*`, `lts/iron`. None leads out of the directory of aliases. */
const NAME = /^(?!\.+(?:\/|$))[\w.*-]{1,40}(?:\/(?!\.+$)[\w.*-]{1,40})?$/;
const VERSION = /^v?\d+(?:\.\d+){0,2}$/;

/** The version that a word stands for in nvm's own files of aliases; null: it is no alias. The word is the project's: it is never a path. */
export async function nvmAlias(nvm: string, word: string): Promise<string | null> {
  let name = word;
  for (let link = 0; link < MAX_LINKS; link += 1) {
    if (link > 0 && VERSION.test(name)) return name;
    if (!NAME.test(name) || VERSION.test(name)) return null;
    name = (await read(join(nvm, 'alias', name))).trim();
  }
  return null;
}

async function read(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => null);
  if (file === null) return '';
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(MAX_BYTES) });
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  } finally {
    await file.close();
  }
}
