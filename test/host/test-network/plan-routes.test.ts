import { expect, test } from 'vitest';
import { parseHostRule } from '../../../src/host/egress-gate/index.ts';
import { hostsText, planRoutes } from '../../../src/host/test-network/plan-routes.ts';

const rules = (...texts: string[]) =>
  texts.flatMap((text) => {
    const parsed = parseHostRule(text);
    return parsed.kind === 'rule' ? [parsed.rule] : [];
  });

test('a host has an address of its own, the same for all of its ports', () => {
  const { routes, names } = planRoutes(rules('a.example:443', 'b.example:443', 'a.example:8443'), ['redis']);
  expect(routes).toEqual({
    routes: [
      { address: '127.1.0.1', port: 443, target: 'a.example:443' },
      { address: '127.1.0.2', port: 443, target: 'b.example:443' },
      { address: '127.1.0.1', port: 8443, target: 'a.example:8443' },
    ],
    proxy: false,
  });
  expect(names).toEqual([
    ['127.0.0.1', 'redis'],
    ['127.1.0.1', 'a.example'],
    ['127.1.0.2', 'b.example'],
  ]);
});

test.each(['localhost:5432', '127.0.0.1:5432', '127.0.0.9:5432'])('%s is at 127.0.0.1, as outside', (rule) => {
  const { routes, names } = planRoutes(rules(rule), []);
  expect(routes).toEqual({ routes: [{ address: '127.0.0.1', port: 5432, target: rule }], proxy: false });
  expect(names).toEqual([]);
});

test.each(['*.a.example:443', '203.0.113.7:443', '[2001:db8::1]:443'])('%s needs the proxy', (rule) => {
  expect(planRoutes(rules(rule), [])).toEqual({ routes: { routes: [], proxy: true }, names: [] });
});

test('two rules that would listen at one place are one route', () => {
  expect(planRoutes(rules('localhost:5432', '127.0.0.1:5432'), []).routes.routes).toHaveLength(1);
});

test('more hosts than addresses go through the proxy', () => {
  const many = Array.from({ length: 251 }, (_, index) => `h${index}.example:443`);
  const { routes } = planRoutes(rules(...many), []);
  expect([routes.routes.length, routes.routes.at(-1)?.address, routes.proxy]).toEqual([250, '127.1.0.250', true]);
});

test('the names are behind those of every sandbox', () => {
  expect(hostsText('127.0.0.1\tlocalhost\n', [['127.1.0.1', 'a.example']])).toBe(
    '127.0.0.1\tlocalhost\n127.1.0.1\ta.example\n',
  );
});
