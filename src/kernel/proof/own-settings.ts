const OWN_SETTINGS: ReadonlySet<string> = new Set(['.fluffy/', '.fluffy', '.fluffy/config.yaml']);

/**
 * Whether `config init` has written this file, as git lists it. No test or source reads such a file, and no session can
 * change it.
 */
export function isOwnSetting(path: string): boolean {
  return OWN_SETTINGS.has(path);
}
