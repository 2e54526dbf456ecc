import { readManifestText } from '../javascript/package-signs.ts';
import { expandedScript } from '../javascript/plain-script.ts';
import type { CheckSource } from './check-source.ts';

/** Names of scripts that check types, style and format. */
const NAMES = [
  ...['typecheck', 'type-check', 'types', 'check-types', 'check:types', 'tsc'],
  ...['lint', 'format:check', 'format-check', 'check-format', 'check:format', 'prettier:check'],
];
const WRITES = /\s--(?:fix|write)\b/;

/** Scripts in package.json that check the sources and do not change them. */
export const packageScripts: CheckSource = {
  reads: ['package.json'],
  find: ({ text, env, image }) => {
    const scripts = readManifestText(text('package.json'))?.scripts ?? {};
    return NAMES.filter((name) => name in scripts).flatMap((name) => {
      const script = expandedScript(name, scripts);
      return WRITES.test(script) ? [] : [{ words: `npm run ${name}`, script, env, image }];
    });
  },
};
