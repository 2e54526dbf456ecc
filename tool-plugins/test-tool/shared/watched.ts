/** Source of `watched(owners)`: remembers every member of some objects, and answers a function that says whether all of them are what they were. */
export const WATCHED = `function watched(owners) {
  const { getOwnPropertyDescriptor: describe, ownKeys } = Reflect;
  const before = [];
  for (const owner of owners) {
    const isObject = typeof owner === 'function' || (typeof owner === 'object' && owner !== null);
    if (!isObject || owner === Object.prototype) continue;
    for (const key of ownKeys(owner)) before.push([owner, key, describe(owner, key)]);
  }
  return () => {
    for (let at = 0; at < before.length; at += 1) {
      const [owner, key, then] = before[at];
      const now = describe(owner, key);
      if (now?.value !== then.value || now?.get !== then.get || now?.set !== then.set) return false;
    }
    return true;
  };
}`;

/**
 * Source of `guarded(owners)`: a member of these objects that is set to something else keeps its value, and `isReplaced()` says so, even if it is put back in
 * time. `release()` makes them plain again, for the next file of the same process.
 */
export const GUARDED = `function guarded(owners) {
  let replaced = false;
  const released = [];
  for (const owner of owners) {
    for (const key of Reflect.ownKeys(owner)) {
      const found = Reflect.getOwnPropertyDescriptor(owner, key);
      if (found?.configurable !== true || found.writable !== true || key === 'name' || key === 'length' || key === 'prototype') continue;
      const get = () => found.value;
      const set = (value) => { if (value !== found.value) replaced = true; };
      Reflect.defineProperty(owner, key, { get, set, enumerable: found.enumerable === true, configurable: true });
      released[released.length] = [owner, key, found, get];
    }
  }
  const isGuarded = ([owner, key, , get]) => Reflect.getOwnPropertyDescriptor(owner, key)?.get === get;
  return {
    isReplaced: () => replaced || !released.every(isGuarded),
    release: () => { for (const [owner, key, found] of released) Reflect.defineProperty(owner, key, found); },
  };
}`;

/**
 * Source of the object in which \`expect\` keeps its matchers; a matcher that is there cannot be replaced from then on without \`isReplaced()\`. A hook of each
 * suite may add the same one again: by the same text, which a bound function does not show.
 */
export const WATCHED_MATCHERS = `function watchedMatchers() {
  const state = globalThis[Symbol.for('$$jest-matchers-object')];
  if (typeof state?.matchers !== 'object') return () => false;
  let replaced = false;
  const { apply } = Reflect;
  const { toString } = Function.prototype;
  const textOf = (value) => (typeof value === 'function' ? apply(toString, value, []) : '');
  const { includes } = String.prototype;
  const isShown = (text) => text !== '' && !apply(includes, text, ['[native code]']);
  const isSame = (one, other) => one === other || (textOf(one) === textOf(other) && isShown(textOf(one)));
  const first = state.matchers;
  const matchers = new Proxy(first, {
    defineProperty(target, key, member) {
      const old = Reflect.getOwnPropertyDescriptor(target, key);
      if (old !== undefined && 'value' in member && !isSame(old.value, member.value)) replaced = true;
      return Reflect.defineProperty(target, key, member);
    },
    deleteProperty(target, key) {
      replaced = true;
      return Reflect.deleteProperty(target, key);
    },
  });
  Object.defineProperty(state, 'matchers', { get: () => matchers, set: () => { replaced = true; }, enumerable: true, configurable: false });
  return () => replaced || globalThis[Symbol.for('$$jest-matchers-object')] !== state;
}`;
