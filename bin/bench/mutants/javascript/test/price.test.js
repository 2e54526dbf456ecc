import assert from 'node:assert/strict';
import test from 'node:test';
import { price } from '../src/price.js';

const tea = { cost: 4, count: 3 };
const pot = { cost: 100, count: 1 };

test('adds up what each item costs', () => {
  assert.equal(price([tea, { cost: 7, count: 1 }]), 19);
  assert.equal(price([]), 0);
});

test('takes a tenth off for members who spend a lot', () => {
  assert.equal(price([pot, pot], { member: true }), 180);
  assert.equal(price([pot, pot]), 200);
});

test('takes five off for the code of the season', () => {
  assert.equal(price([tea], { code: 'SPRING' }), 7);
});

test('refuses a count below one', () => {
  assert.throws(() => price([{ cost: 4, count: 0 }]), RangeError);
});
