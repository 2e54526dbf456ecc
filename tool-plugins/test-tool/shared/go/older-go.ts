/** Go itself ends before any package then: without a network, and with `GOTOOLCHAIN=local`, it takes no other version than the one that is there. */
export function throwForOlderGo(said: string): void {
  const [, who, asked, here] = /^go: (.{1,300}?) requires go >= (\S+) \(running go ([^\s;)]+)/m.exec(said) ?? [];
  if (who === undefined || asked === undefined || here === undefined) return;
  throw new Error(
    `${who} asks for Go ${asked}, and the sandbox has Go ${here}, that of this machine. A sandbox has no network, so Go cannot download another version.` +
      ` Install Go ${asked} or later on this machine (https://go.dev/dl), have it first in PATH, and open the project again (fluffy doctor says which Go it finds),` +
      ` or lower the version in ${who}`,
  );
}
