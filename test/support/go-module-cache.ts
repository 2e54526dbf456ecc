import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VENDORED = '/usr/local/go/src/cmd/vendor/golang.org/x/mod';
const NAME = 'golang.org/x/mod';
const VERSION = 'v0.30.0';
const GO_MOD = `module ${NAME}\n\ngo 1.24.0\n`;

/** What a module that needs golang.org/x/mod has in its go.mod and go.sum. */
export function goRequirement(): { readonly require: string; readonly sum: string } {
  const files = new Map(
    readdirSync(join(VENDORED, 'semver')).map((name) => [
      `semver/${name}`,
      readFileSync(join(VENDORED, 'semver', name), 'utf8'),
    ]),
  );
  const module = hashOf(
    new Map([
      ...[...files].map(([path, text]) => [`${NAME}@${VERSION}/${path}`, text] as const),
      [`${NAME}@${VERSION}/go.mod`, GO_MOD],
    ]),
  );
  const goMod = hashOf(new Map([['go.mod', GO_MOD]]));
  return {
    require: `require ${NAME} ${VERSION}\n`,
    sum: `${NAME} ${VERSION} ${module}\n${NAME} ${VERSION}/go.mod ${goMod}\n`,
  };
}

/** A module cache as `go mod download` leaves it, with golang.org/x/mod/semver of Go's own sources in it. */
export function makeGoModuleCache(cache: string): void {
  const directory = join(cache, `${NAME}@${VERSION}`);
  const download = join(cache, 'cache/download', NAME, '@v');
  mkdirSync(directory, { recursive: true });
  mkdirSync(download, { recursive: true });
  cpSync(join(VENDORED, 'semver'), join(directory, 'semver'), { recursive: true });
  writeFileSync(join(directory, 'go.mod'), GO_MOD);
  const [sum = ''] = goRequirement().sum.split('\n');
  writeFileSync(join(download, `${VERSION}.info`), JSON.stringify({ Version: VERSION }));
  writeFileSync(join(download, `${VERSION}.mod`), GO_MOD);
  writeFileSync(join(download, `${VERSION}.ziphash`), sum.split(' ')[2] ?? '');
}

/** Go's `h1:` hash of some files. */
function hashOf(files: ReadonlyMap<string, string>): string {
  const sha256 = (text: string) => createHash('sha256').update(text);
  const lines = [...files]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, text]) => `${sha256(text).digest('hex')}  ${path}\n`);
  return `h1:${sha256(lines.join('')).digest('base64')}`;
}
