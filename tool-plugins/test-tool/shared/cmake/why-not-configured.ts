const DOWNLOAD =
  /FetchContent|ExternalProject|Could not resolve (?:host|proxy)|Failed to clone|file[ (]+DOWNLOAD|each download failed/i;
const NAMED = [
  /Build step for (\S+) failed/g,
  /No rule to make target '(\S+)-populate'/g,
  /Failed to clone repository: '([^']+)'/g,
  /downloading\s+'([^']+)'\s+failed/g,
];
const PACKAGE =
  /Could not find a package configuration file provided by\s+"([^"]+)"|Could NOT find (\S+)|By not providing "Find([^"]+)\.cmake"/;

/** Pure: from what CMake printed, the errors alone, behind what can be done where the project needs what a sandbox does not have. */
export function whyNotConfigured(said: string): string {
  const errors = said.slice(Math.max(0, said.search(/^CMake Error/m)));
  const advice = adviceFor(errors);
  return advice === null ? errors : `${advice}\n${errors}`;
}

function adviceFor(errors: string): string | null {
  if (DOWNLOAD.test(errors)) {
    const names = NAMED.flatMap((pattern) => [...errors.matchAll(pattern)].map(([, name = '']) => name));
    const what = names[0] ?? 'a file';
    return `The project downloads ${what} when it is configured, and a sandbox has no network. Install the library on this machine (Debian: libgtest-dev, catch2, doctest-dev) or in the image that sandbox.image names, where find_package finds it, or use a copy in the project.`;
  }
  const [, ...groups] = PACKAGE.exec(errors) ?? [];
  const name = groups.find((each) => each !== undefined);
  return name === undefined
    ? null
    : `The library ${name} is not installed. Install it on this machine or in the image that sandbox.image names.`;
}
