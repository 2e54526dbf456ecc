/** `--base-url` is for the provider of this run's model; a replay has no endpoint. By provider's name, as the host's side takes it. */
export function baseUrlsOf(model: string, baseUrl: string | undefined): Readonly<Record<string, string>> {
  const provider = model.slice(0, model.indexOf('/'));
  return baseUrl === undefined || provider === 'replay' ? {} : { [provider]: baseUrl };
}
