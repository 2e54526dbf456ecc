/** `--base-url` applies to the provider of this run's model; a replay has no endpoint. Base URLs by provider name. */
export function baseUrlsOf(model: string, baseUrl: string | undefined): Readonly<Record<string, string>> {
  const provider = model.slice(0, model.indexOf('/'));
  return baseUrl === undefined || provider === 'replay' ? {} : { [provider]: baseUrl };
}
