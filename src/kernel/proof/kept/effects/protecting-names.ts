/**
 * Names of calls that protect. Tests with valid inputs also pass without such a call, and no mutant removes it. `block`
 * and `clock` are excluded: they are not locks.
 */
const PROTECTS =
  /escape|encode|sanitize|quote|verify|validate|authori[sz]e|authenticate|check|assert|(?<![bc])lock|timeout|^html(?:specialchars|entities)$/i;
/** Names of comparisons in constant time, and of secure random sources. */
const SECRETS =
  /timing_?safe|constant_?time|compare_?digest|secure_?compare|^hash_equals$|^(?:random_?(?:bytes|int|uuid|fill)|get_?random_?values|token_(?:hex|bytes|urlsafe)|urandom|System_?Random|Secure_?Random)$/i;
/** Names of decorators, annotations and blocks that protect the code inside of them. */
const GUARDS =
  /required$|^requires?(?:_|$)|_only$|permission|auth$|atomic|transaction|csrf|throttle|rate_?limit|secured|^synchronized$/i;

export function isProtecting(name: string): boolean {
  return PROTECTS.test(name) || SECRETS.test(name);
}

export function isGuard(name: string): boolean {
  return isProtecting(name) || GUARDS.test(name);
}
