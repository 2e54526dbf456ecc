import { join } from 'node:path';
import { readRegularText } from '../../../lib/files/read-regular-file.ts';

const LIMITS = { maxBytes: 256, links: 'refused' } as const;
const MAX_LINKS = 5;
/** Names that nvm gives to versions: `default`, `lts/*`, `lts/iron`. None leads out of the directory of aliases. */
const NAME = /^(?!\.+(?:\/|$))[\w.*-]{1,40}(?:\/(?!\.+$)[\w.*-]{1,40})?$/;
const VERSION = /^v?\d+(?:\.\d+){0,2}$/;

/** The version of a word in nvm's own alias files; null if it is no alias. The word comes from the project and is never used as a path. */
export async function nvmAlias(nvm: string, word: string): Promise<string | null> {
  let name = word;
  for (let link = 0; link < MAX_LINKS; link += 1) {
    if (link > 0 && VERSION.test(name)) return name;
    if (!NAME.test(name) || VERSION.test(name)) return null;
    name = ((await readRegularText(join(nvm, 'alias', name), LIMITS)) ?? '').trim();
  }
  return null;
}
