/**
 * Source of `watchedNodeTest(native, note)`: the `test` of node:test as another runtime has it, which tells `note` the full name of each case that proves
 * nothing though the runtime reports it as passed: it is expected to fail, or it is skipped or planned while it runs. A test inside of a test counts too, since
 * not every runtime reports it by itself. Options are copied, so that the runtime reads the values that were seen here.
 */
export const WATCHED_NODE_TEST = `function watchedNodeTest(native, note) {
  const { apply, defineProperty, getOwnPropertyDescriptor: describe, getPrototypeOf } = Reflect;
  const REGISTERS = { __proto__: null, test: 1, it: 1, describe: 1, suite: 1, skip: 1, todo: 1, only: 1, expectFailure: 1 };
  const [prototypes, wrapped] = [new Map(), new Map()];
  const [has, put, find] = [Map.prototype.has, Map.prototype.set, Map.prototype.get];
  const nameOf = (context) => apply(apply(find, prototypes, [getPrototypeOf(context)]), context, []);
  function watch(context) {
    const owner = typeof context === 'object' && context !== null ? getPrototypeOf(context) : null;
    const getName = owner === null ? undefined : describe(owner, 'fullName')?.get;
    if (getName === undefined || apply(has, prototypes, [owner])) return getName !== undefined;
    apply(put, prototypes, [owner, getName]);
    const replace = (key, make) => {
      const own = owner[key];
      if (typeof own === 'function') defineProperty(owner, key, { value: make(own), writable: false, configurable: false });
    };
    for (const key of ['skip', 'todo']) replace(key, (own) => function (...given) {
      note(nameOf(this));
      return apply(own, this, given);
    });
    for (const key of ['test', 'describe']) replace(key, (own) => function (...given) {
      return apply(own, this, watchedCase(given, false, nameOf(this)));
    });
    return true;
  }
  function watchedCase(given, isExpected, parent) {
    const all = [];
    let [expected, inner] = [isExpected, null];
    for (let at = 0; at < given.length; at += 1) {
      let each = given[at];
      if (typeof each === 'object' && each !== null) {
        each = { ...each };
        expected ||= Boolean(each.expectFailure);
        if (parent !== undefined && (each.skip || each.todo)) note(parent + ' > ' + String(given[0]));
      } else if (typeof each === 'function' && inner === null) {
        const own = inner = each;
        each = function (...values) {
          const isContext = watch(values[0]);
          if (expected) note(isContext ? nameOf(values[0]) : '');
          return apply(own, this, values);
        };
        for (const key of ['length', 'name']) defineProperty(each, key, { value: own[key], configurable: true });
      }
      all[at] = each;
    }
    return all;
  }
  function wrap(target, isExpected) {
    if (!isExpected && apply(has, wrapped, [target])) return apply(find, wrapped, [target]);
    const proxy = new Proxy(target, {
      get(_, key) {
        const value = target[key];
        if (typeof value !== 'function' || typeof key !== 'string' || REGISTERS[key] === undefined) return value;
        const isFixed = describe(target, key)?.configurable === false;
        return isFixed ? value : wrap(value, isExpected || key === 'expectFailure');
      },
      apply: (_, self, given) => apply(target, self, watchedCase(given, isExpected, undefined)),
    });
    if (!isExpected) apply(put, wrapped, [target, proxy]);
    return proxy;
  }
  return wrap(native, false);
}`;

/** Source of `offerByName(nodeTest, Module)`: whoever asks for node:test by its name in other ways than by an import gets the watched one. */
export const OFFERED_BY_NAME = `function offerByName(nodeTest, Module) {
  const { apply } = Reflect;
  const { getBuiltinModule } = process;
  const { require } = Module.prototype;
  process.getBuiltinModule = (id) => id === 'node:test' ? nodeTest : getBuiltinModule(id);
  Module.prototype.require = function (...given) {
    return given[0] === 'node:test' ? nodeTest : apply(require, this, given);
  };
}`;

/** Source of `noted` (an object that JSON shows as it is) and `note(name)`. */
export const NOTED = `const noted = Object.setPrototypeOf([], null);
const note = (name) => { noted[noted.length] = String(name); };`;
