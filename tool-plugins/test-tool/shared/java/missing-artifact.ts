const MISSING = [
  /Cannot access \S+ \(\S+\) in offline mode and the artifact (\S+) has not been downloaded/,
  /Could not find artifact (\S+?)(?:\s|$)/,
  /The following artifacts could not be resolved: (\S+?)[,:]?\s/,
];

/** Pure: what Maven printed, behind what can be done where it lacks something of the local repository. */
export function withMissingArtifact(said: string): string {
  const name = MISSING.map((pattern) => pattern.exec(said)?.[1]).find((each) => each !== undefined);
  return name === undefined
    ? said
    : `${name} is not in the local repository of Maven, and a sandbox has no network. Run mvn test once on this machine.\n${said}`;
}
