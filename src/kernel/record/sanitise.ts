/** A secret begins with `prefix` and has at least `minLength` characters in all. */
export interface SecretShape {
  readonly name: string;
  readonly prefix: string;
  readonly minLength: number;
}

export interface Sanitised {
  readonly text: string;
  /** Names of the shapes that were found. */
  readonly redacted: readonly string[];
  readonly truncated: boolean;
}

const TOKEN_CHARACTER = /[A-Za-z0-9_\-+/=.]/;

/** Keys that are known everywhere: no policy can leave them out. The minimum lengths spare words like `sk-learn` or `npm_config_cache`. */
const BUILT_IN: readonly SecretShape[] = [
  { name: 'sk key', prefix: 'sk-', minLength: 20 },
  { name: 'GitHub token', prefix: 'ghp_', minLength: 24 },
  { name: 'GitHub token', prefix: 'gho_', minLength: 24 },
  { name: 'GitHub token', prefix: 'github_pat_', minLength: 30 },
  { name: 'AWS key', prefix: 'AKIA', minLength: 20 },
  { name: 'Slack token', prefix: 'xox', minLength: 20 },
  { name: 'GitLab token', prefix: 'glpat-', minLength: 20 },
  { name: 'npm token', prefix: 'npm_', minLength: 36 },
];

/** Replaces whatever has the shape of a known key: the given shapes, and those known everywhere. Linear in the text. */
export function redactSecrets(text: string, shapes: readonly SecretShape[]): { text: string; redacted: string[] } {
  const redacted = new Set<string>();
  let result = text;
  for (const shape of [...shapes, ...BUILT_IN]) {
    let from = 0;
    let out = '';
    for (;;) {
      const start = result.indexOf(shape.prefix, from);
      if (start === -1) break;
      let end = start + shape.prefix.length;
      while (end < result.length && TOKEN_CHARACTER.test(result[end] as string)) end += 1;
      const startsWord = start === 0 || !/[A-Za-z0-9]/.test(result[start - 1] as string);
      if (startsWord && end - start >= shape.minLength) {
        out += `${result.slice(from, start)}[redacted: ${shape.name}]`;
        redacted.add(shape.name);
      } else {
        out += result.slice(from, end);
      }
      from = end;
    }
    result = out + result.slice(from);
  }
  return { text: result, redacted: [...redacted] };
}

/** A usual estimate, good enough for a limit. */
const CHARACTERS_PER_TOKEN = 4;

/** A tool's result as the model, the log and people see it: without secrets, then cut in its middle to the limit. */
export function sanitise(text: string, shapes: readonly SecretShape[], maxTokens: number): Sanitised {
  const clean = redactSecrets(text, shapes);
  const max = maxTokens * CHARACTERS_PER_TOKEN;
  if (clean.text.length <= max) return { ...clean, truncated: false };
  const head = clean.text.slice(0, Math.floor(max * 0.6));
  const tail = clean.text.slice(clean.text.length - Math.floor(max * 0.35));
  const left = clean.text.length - head.length - tail.length;
  return { text: `${head}\n… ${left} characters left out …\n${tail}`, redacted: clean.redacted, truncated: true };
}
