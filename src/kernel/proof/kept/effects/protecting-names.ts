/** Calls of these names protect. Tests with well-behaved inputs pass without them too, and no mutant takes them out. `block` and `clock` are no locks. */
const PROTECTS =
  /escape|encode|sanitize|quote|verify|validate|authori[sz]e|authenticate|check|assert|(?<![bc])lock|timeout|^html(?:specialchars|entities)$/i;
/** What compares in a constant time, and what nobody can guess. */
const SECRETS =
  /timing_?safe|constant_?time|compare_?digest|secure_?compare|^hash_equals$|^(?:random_?(?:bytes|int|uuid|fill)|get_?random_?values|token_(?:hex|bytes|urlsafe)|urandom|System_?Random|Secure_?Random)$/i;
/** What a decorator, an annotation or a block says of the code behind it. */
const GUARDS =
  /required$|^requires?(?:_|$)|_only$|permission|auth$|atomic|transaction|csrf|throttle|rate_?limit|secured|^synchronized$/i;

export function isProtecting(name: string): boolean {
  return PROTECTS.test(name) || SECRETS.test(name);
}

export function isGuard(name: string): boolean {
  return isProtecting(name) || GUARDS.test(name);
}
