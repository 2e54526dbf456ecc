import { expect, it } from 'vitest';
import { aliasedPath } from '../../../tool-plugins/test-tool/shared/javascript/aliased-path.ts';

const ALIASES = [
  { find: '@', replacement: '/project/src' },
  { find: '#lib/', replacement: '/project/lib/' },
  { find: /^~(.*)$/, replacement: '/project/app$1' },
  { find: 'shop', replacement: '/project/shop.ts' },
  { find: 'old', replacement: 'lodash' },
];

it.each([
  [`Cannot find module '@/gross' imported from '/project/test/a.test.ts'.`, '/project/src/gross'],
  [`Failed to resolve import "#lib/gross" from "test/a.test.ts". Does the file exist?`, '/project/lib/gross'],
  [`Failed to load url ~/gross (resolved id: ~/gross). Does the file exist?`, '/project/app/gross'],
  [`Cannot find package 'shop' imported from /project/test/a.test.ts`, '/project/shop.ts'],
  [`Cannot find package '@app/gross' imported from /project/test/a.test.ts`, null],
  [`Cannot find package 'shopping' imported from /project/test/a.test.ts`, null],
  [`Cannot find package 'old' imported from /project/test/a.test.ts`, null],
  [`expected 1 to be '@/gross'`, null],
])('of %s the alias leads to %s', (message, path) => {
  expect(aliasedPath(message, ALIASES)).toBe(path);
});
