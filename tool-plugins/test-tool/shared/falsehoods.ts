/** Source of functions that must each throw, for a canary. `each` is an `expect` as Jest defines it; `mock` makes a mock function. */
export function expectFalsehoods(mock: string): string {
  return `[
      () => each(1).toBe(2),
      () => each(1).not.toBe(1),
      () => each({ a: 1 }).toEqual({ a: 2 }),
      () => each([1]).toStrictEqual([2]),
      () => each({ a: 1 }).toMatchObject({ a: 2 }),
      () => each(0).toBeTruthy(),
      () => each(1).toBeFalsy(),
      () => each(undefined).toBeDefined(),
      () => each(1).toBeUndefined(),
      () => each(1).toBeNull(),
      () => each(1).toBeInstanceOf(Map),
      () => each(1).toBeGreaterThan(2),
      () => each(2).toBeLessThan(1),
      () => each(1).toBeCloseTo(2),
      () => each([1]).toContain(2),
      () => each([1]).toHaveLength(2),
      () => each({}).toHaveProperty('a'),
      () => each('a').toMatch(/b/),
      () => each(() => {}).toThrow(),
      () => each(() => { throw new Error('a'); }).toThrow('b'),
      () => each(${mock}).toHaveBeenCalled(),
      () => each(${mock}).toHaveBeenCalledTimes(1),
      () => each(${mock}).toHaveBeenCalledWith(1),
      () => each(${mock}).toHaveBeenLastCalledWith(1),
      () => each(${mock}).toHaveReturned(),
      () => each(Promise.resolve(1)).rejects.toThrow(),
      () => each(Promise.resolve(1)).resolves.toBe(2),
    ]`;
}

/** The same for `node:assert`, as `nodeAssert`. */
export const ASSERT_FALSEHOODS = `[
    () => nodeAssert(false),
    () => nodeAssert.equal(1, 2),
    () => nodeAssert.strictEqual(1, 2),
    () => nodeAssert.deepEqual({ a: 1 }, { a: 2 }),
    () => nodeAssert.deepStrictEqual([1], [2]),
    () => nodeAssert.throws(() => {}),
    () => nodeAssert.match('a', /b/),
    () => nodeAssert.rejects(async () => {}),
    () => nodeAssert.ok(0),
    () => nodeAssert.notEqual(1, 1),
    () => nodeAssert.notDeepStrictEqual([1], [1]),
    () => nodeAssert.fail(),
    () => nodeAssert.strict(false),
    () => nodeAssert.strict.equal(1, 2),
    () => nodeAssert.strict.deepEqual({ a: 1 }, { a: 2 }),
    () => nodeAssert.strict.throws(() => {}),
  ]`;

/** The same for chai, as `chai`. */
export const CHAI_FALSEHOODS = `[
    () => chai.expect(1).to.equal(2),
    () => chai.expect(1).to.not.equal(1),
    () => chai.expect({ a: 1 }).to.deep.equal({ a: 2 }),
    () => chai.expect({ a: 1 }).to.eql({ a: 2 }),
    () => chai.expect(1).to.be.a('string'),
    () => chai.expect([1]).to.include(2),
    () => chai.expect([1]).to.have.lengthOf(2),
    () => chai.expect({}).to.have.property('a'),
    () => chai.expect(false).to.be.true,
    () => chai.expect(0).to.be.ok,
    () => chai.expect(() => {}).to.throw(),
    () => chai.assert(false),
    () => chai.assert.equal(1, 2),
    () => chai.assert.strictEqual(1, 2),
    () => chai.assert.deepEqual([1], [2]),
    () => chai.assert.throws(() => {}),
  ]`;

/** Source of `allThrow`: whether each of some functions throws, or rejects. */
export const ALL_THROW = `async function allThrow(falsehoods) {
  for (const falsehood of falsehoods) {
    let held = false;
    try { await falsehood(); held = true; } catch {}
    if (held) return false;
  }
  return true;
}`;
