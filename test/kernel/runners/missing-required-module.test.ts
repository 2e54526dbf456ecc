import { expect, it } from 'vitest';
import { missingRequiredModule } from '../../../src/kernel/runners/javascript/missing-required-module.ts';

function mapped(specifier: string, target: string, key: string): string {
  return `Configuration error:

Could not locate module ${specifier} mapped as:
${target}.

Please check your configuration for these entries:
{
  "moduleNameMapper": {
    "/${key}/": "${target}"
  },
  "resolver": undefined
}`;
}

it.each([
  ['@app/gross', '/p/src/$1', String.raw`^@app\/(.*)$`, '/p/src/gross'],
  ['~gross', '/p/app/$1', '^~(.+)$', '/p/app/gross'],
  ['shop', '/p/shop/index.js', '^shop$', '/p/shop/index.js'],
  ['../src/gross.js', '$1', String.raw`^(\.{1,2}\/.*)\.js$`, '../src/gross'],
])('of %s, which jest maps to %s, it has the path', (specifier, target, key, path) => {
  expect(missingRequiredModule(mapped(specifier, target, key), '/p')).toEqual({ specifier: path });
});

it.each([
  ['@app/gross', '/p/src/$1', String.raw`^@app\/(a|b)+(.*)$`],
  ['@app/gross', '/p/$2/$1', String.raw`^@app\/(.*)$`],
  ['@app/gross', '/p/src/$1', String.raw`^@other\/(.*)$`],
  ['gross', 'lodash', '^gross$'],
])('of %s, mapped to %s by %s, it has none', (specifier, target, key) => {
  expect(missingRequiredModule(mapped(specifier, target, key), '/p')).toBeNull();
});

it.each([
  ['test/mul.test.js', '/p/a/test/../src/mul'],
  ['src/of.js', '/p/src/../src/mul'],
])('of an import in %s, the path begins at the test of a project below the root', (importer, path) => {
  const message = `Cannot find module '../src/mul' from '${importer}'`;
  expect(missingRequiredModule(message, '/p', '/p/a/test/mul.test.js')).toEqual({ specifier: path });
});
