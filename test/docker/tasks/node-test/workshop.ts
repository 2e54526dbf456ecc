import type { Workshop } from '../small-task.ts';
import { escapeHtml } from './escape-html.ts';
import { lruCache } from './lru-cache.ts';
import { retry } from './retry.ts';
import { shoutFlag } from './shout-flag.ts';
import { validatePort } from './validate-port.ts';

/** A small library in JavaScript with a command-line program, tested with Node's own runner. */
export const nodeTestWorkshop: Workshop = {
  runner: 'node-test',
  files: {
    'package.json': `{
  "name": "toolbox",
  "type": "module",
  "bin": { "greet": "bin/greet.js" },
  "scripts": { "test": "node --test --test-reporter spec" }
}
`,
    'README.md': '# toolbox\n\n    greet NAME        says hello\n',
    'bin/greet.js': `#!/usr/bin/env node
import { greeting } from '../src/greeting.js';

const [name = 'world'] = process.argv.slice(2);
console.log(greeting(name));
`,
    'src/greeting.js': "export const greeting = (name) => 'Hello, ' + name + '!';\n",
    'src/config.js': `export const DEFAULTS = { host: 'localhost', port: 8080 };

export function parseConfig(text) {
  const given = JSON.parse(text);
  return { ...DEFAULTS, ...given };
}
`,
    'src/html.js': `export function heading(text) {
  return '<h1>' + text + '</h1>';
}

export function paragraph(text) {
  return '<p>' + text + '</p>';
}
`,
    'test/greeting.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import { greeting } from '../src/greeting.js';

test('says hello', () => assert.equal(greeting('Ada'), 'Hello, Ada!'));
`,
    'test/config.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import { parseConfig } from '../src/config.js';

test('fills in what is not given', () => {
  assert.deepEqual(parseConfig('{"port":1}'), { host: 'localhost', port: 1 });
});
`,
    'test/html.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import { heading, paragraph } from '../src/html.js';

test('heading', () => assert.equal(heading('Hi'), '<h1>Hi</h1>'));
test('paragraph', () => assert.equal(paragraph('Hi'), '<p>Hi</p>'));
`,
  },
  test: ['node', '--test'],
  tasks: [validatePort, shoutFlag, escapeHtml, lruCache, retry],
};
