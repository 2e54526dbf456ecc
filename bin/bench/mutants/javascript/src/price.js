export function price(items, { member = false, code = '' } = {}) {
  if (items.length === 0) return 0;
  let sum = 0;
  for (const { cost, count } of items) {
    if (count < 1) throw new RangeError('a count is at least 1');
    sum += cost * count;
  }
  if (member && sum >= 100) sum -= sum / 10;
  if (code === 'SPRING') sum -= 5;
  return Math.max(sum, 0);
}
