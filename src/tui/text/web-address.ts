declare const mark: unique symbol;

/** A web address that is safe for a terminal: no other scheme, and no character that ends the sequence around it. */
export type WebAddress = string & { readonly [mark]: true };

const MAX_LENGTH = 2000;

export function webAddress(text: string): WebAddress | undefined {
  if (!/^https?:\/\//i.test(text) || text.length > MAX_LENGTH || !URL.canParse(text)) return undefined;
  const { href } = new URL(text);
  return /^[!-~]+$/.test(href) ? (href as WebAddress) : undefined;
}
