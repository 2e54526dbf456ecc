import { describe, expect, test } from 'vitest';
import { loadPolicy } from '../../../../src/kernel/policy/index.ts';

/** A policy with one rule, written over lines 1 to 4; `extra` follows from line 5 on at the rule's level. */
const withRule = (match: string, extra: readonly string[] = []): string =>
  [
    'capabilities:',
    '  - name: r',
    `    match: ${match}`,
    '    action: allow',
    ...extra.map((line) => `    ${line}`),
  ].join('\n');

interface Finding {
  readonly title: string;
  readonly text: string;
  readonly at: `${number}:${number}`;
  readonly says: string;
}

const ERRORS: readonly Finding[] = [
  { title: 'an unknown top-level key', text: 'capabilites: []', at: '1:1', says: 'unknown key "capabilites"' },
  { title: 'a misspelt match field', text: withRule('{ sycall: fs.read }'), at: '3:14', says: 'unknown key "sycall"' },
  {
    title: 'a misspelt rule field',
    text: withRule('{ syscall: fs.read }', ['excpt: []']),
    at: '5:5',
    says: 'unknown key "excpt"',
  },
  {
    title: 'an action nobody knows',
    text: withRule('{ syscall: a }').replace('allow', 'permit'),
    at: '4:13',
    says: 'capabilities[0].action',
  },
  {
    title: 'an unknown state',
    text: withRule('{ state_machine_state: [idle, coding] }'),
    at: '3:42',
    says: 'state_machine_state[1]',
  },
  { title: 'an unknown mode', text: withRule('{ session_mode: yolo }'), at: '3:28', says: 'session_mode' },
  { title: 'an unknown sandbox', text: withRule('{ sandbox_template: host }'), at: '3:32', says: 'sandbox_template' },
  { title: 'an empty match', text: withRule('{}'), at: '3:12', says: 'at least one field' },
  {
    title: 'an empty exception',
    text: withRule('{ syscall: a }', ['except: [{}]']),
    at: '5:14',
    says: 'at least one field',
  },
  {
    title: 'a rule without an action',
    text: 'capabilities:\n  - name: r\n    match: { syscall: a }',
    at: '2:5',
    says: 'action',
  },
  {
    title: 'a duplicate rule name',
    text: 'capabilities:\n  - { name: r, match: { syscall: a }, action: deny }\n  - { name: r, match: { syscall: b }, action: deny }',
    at: '3:13',
    says: 'used twice',
  },
  { title: 'a duplicate key', text: withRule('{ syscall: a }', ['action: deny']), at: '5:5', says: 'unique' },
  { title: 'a duplicate key inside match', text: withRule('{ syscall: a, syscall: b }'), at: '3:26', says: 'unique' },
  { title: 'a brace expansion', text: withRule('{ path_glob: "src/*.{ts,js}" }'), at: '3:25', says: 'brace expansion' },
  {
    title: 'an extended glob',
    text: withRule('{ path_glob: ["!(a)b", "@(a|b)"] }'),
    at: '3:26',
    says: 'begins with "!"',
  },
  { title: 'a negated pattern', text: withRule('{ path_glob: [src, "!src/a"] }'), at: '3:31', says: 'use except' },
  {
    title: 'a slash inside brackets',
    text: withRule('{ path_glob: ["src[/]a"] }'),
    at: '3:26',
    says: 'inside "[...]"',
  },
  { title: 'two stars beside a letter', text: withRule('{ path_glob: "src**/a" }'), at: '3:25', says: 'whole segment' },
  { title: 'a pattern that leads out', text: withRule('{ path_glob: "../x" }'), at: '3:25', says: '".." segment' },
  { title: 'an empty pattern', text: withRule('{ path_glob: "" }'), at: '3:25', says: 'is empty' },
  { title: 'a pattern in Unicode form NFD', text: withRule('{ path_glob: "cafe\u0301" }'), at: '3:25', says: 'NFC' },
  {
    title: 'a pattern that is too long',
    text: withRule(`{ path_glob: "${'a'.repeat(1025)}" }`),
    at: '3:25',
    says: 'longer than',
  },
  {
    title: 'a size in an unknown unit',
    text: withRule('{ syscall: a }', ['constraints: { max_file_size: 100kb }']),
    at: '5:35',
    says: '"100kb"',
  },
  {
    title: 'a size with a fraction',
    text: withRule('{ syscall: a }', ['constraints: { max_file_size: 1.5MiB }']),
    at: '5:35',
    says: '"1.5MiB"',
  },
  {
    title: 'a negative size',
    text: withRule('{ syscall: a }', ['constraints: { max_file_size: -1 }']),
    at: '5:35',
    says: '"-1"',
  },
  { title: 'a time without a unit', text: 'scheduler: { age_threshold: 30 }', at: '1:29', says: 'age_threshold' },
  { title: 'a time in an unknown unit', text: 'scheduler: { age_threshold: 30S }', at: '1:29', says: '"30S"' },
  {
    title: 'constraints on a deny',
    text: 'capabilities:\n  - name: r\n    match: { syscall: a }\n    action: deny\n    constraints: { require_sandbox: L2 }',
    at: '5:18',
    says: 'does not allow',
  },
  { title: 'a host in hexadecimal', text: withRule('{ host: "0x7f.1" }'), at: '3:20', says: 'unusual notation' },
  {
    title: 'a host with a trailing dot',
    text: withRule('{ host: "example.com." }'),
    at: '3:20',
    says: 'not a host name',
  },
  { title: 'a host with userinfo', text: withRule('{ host: "a@example.com" }'), at: '3:20', says: 'not a host name' },
  { title: 'a version of the future', text: 'version: 2', at: '1:10', says: 'version' },
  {
    title: 'an unknown exemption',
    text: 'tdd_exemptions: { everything: { path_glob: ["**"] } }',
    at: '1:19',
    says: 'unknown key "everything"',
  },
  {
    title: 'a coverage baseline outside of .fluffy',
    text: 'tech_debt: { coverage: { baseline_file: .fluffy/../src/a } }',
    at: '1:41',
    says: 'baseline_file',
  },
  {
    title: 'an extension outside of the directory',
    text: `extensions: [{ name: e, entry: ../e.ts, sha256: "${'0'.repeat(64)}" }]`,
    at: '1:32',
    says: 'entry',
  },
  {
    title: 'an example that does not match',
    text: withRule('{ syscall: fs.read, path_glob: src/ }', ['examples: { match: [src/a, lib/a] }']),
    at: '5:32',
    says: 'does not match its example',
  },
  {
    title: 'an example that matches and should not',
    text: withRule('{ path_glob: src/ }', ['examples: { no_match: [src/a] }']),
    at: '5:28',
    says: 'matches its example',
  },
  {
    title: 'an example taken out by an exception',
    text: withRule('{ path_glob: src/ }', ['except: [{ path_glob: src/a }]', 'examples: { match: [src/a] }']),
    at: '6:25',
    says: 'does not match its example',
  },
  { title: 'a list where a map should be', text: '- a\n- b', at: '1:1', says: 'expected object' },
  { title: 'a key that is no text', text: '1: 2', at: '1:1', says: 'key must be text' },
  { title: 'a tag', text: 'version: !!js/function 1', at: '1:10', says: 'tag' },
  { title: 'a custom tag', text: 'capabilities: !include other.yaml', at: '1:15', says: 'tag' },
  { title: 'a merge key', text: 'x: &x { name: r }\ncapabilities: [{ <<: *x }]', at: '1:1', says: 'unknown key "x"' },
  { title: 'an unknown alias', text: 'capabilities: *nowhere', at: '1:15', says: 'nowhere' },
  { title: 'half of a character', text: 'capabilities: []\n# \uD83D', at: '2:3', says: 'UTF-8' },
  {
    title: 'a pattern that YAML takes for an alias',
    text: withRule('{ path_glob: *.ts }'),
    at: '3:25',
    says: 'in quotes: "*.ts"',
  },
  { title: 'a star without quotes', text: withRule('{ path_glob: [*, a] }'), at: '3:27', says: 'in quotes: "*"' },
  {
    title: 'a pattern that YAML takes for a tag',
    text: withRule('{ path_glob: [!src] }'),
    at: '3:26',
    says: 'in quotes: "!src"',
  },
  {
    title: 'an example longer than any path',
    text: withRule('{ path_glob: src/ }', [`examples: { match: [src/a, "${'é'.repeat(2049)}"] }`]),
    at: '5:32',
    says: 'longer than 4096 bytes',
  },
  {
    title: 'an example with a longer tag than any',
    text: withRule('{ path_glob: src/ }', [`examples: { match: [{ path: src/a, tags: ["${'a'.repeat(129)}"] }] }`]),
    at: '5:47',
    says: '128',
  },
  { title: 'a tab as indentation', text: 'capabilities:\n\t- name: r', at: '2:1', says: 'tab characters' },
  { title: 'two documents', text: 'version: 1\n---\nversion: 1', at: '2:1', says: 'multiple documents' },
  { title: 'a second document', text: '# c\n---\nversion: 1\n---', at: '4:1', says: 'multiple documents' },
  { title: 'a key __proto__', text: '__proto__: { capabilities: [] }', at: '1:1', says: '__proto__' },
  { title: 'a replacement character', text: 'capabilities: [] # \uFFFD', at: '1:20', says: 'UTF-8' },
];

const LONG = 'x'.repeat(100_000);

test.each([
  ['a pattern', withRule(`{ path_glob: "${LONG}" }`)],
  ['a host', withRule(`{ host: "${LONG}" }`)],
  ['a syscall', withRule(`{ syscall: "${LONG}" }`)],
  ['a size', withRule('{ syscall: a }', [`constraints: { max_file_size: ${LONG} }`])],
  ['a duration', `scheduler: { age_threshold: ${LONG} }`],
  ['a key', `? ${LONG}\n: 1`],
  ['a group', `network_whitelist: { ? ${LONG} : [] }`],
  ['two keys', `? ${LONG}\n: 1\n? ${LONG}\n: 1`],
  ['an alias', `version: *${LONG}`],
  ['a tag', `version: !${LONG} 1`],
  ['a tag with a handle', `version: !${LONG}!a 1`],
  ['an anchor inside itself', `version: &${LONG} [*${LONG}]`],
  ['an example', withRule('{ path_glob: a/ }', [`examples: { match: [${'x/'.repeat(2000)}] }`])],
])('no more than the beginning of %s is quoted', (_, text) => {
  const loaded = loadPolicy(text, 'p');
  const messages = loaded.kind === 'invalid' ? loaded.errors.map(({ message }) => message) : [];
  expect(messages).not.toEqual([]);
  for (const message of messages) expect(message.length, message.slice(0, 300)).toBeLessThan(400);
});

describe('loading stops, and says where, at', () => {
  test.each(ERRORS)('$title', ({ text, at, says }) => {
    const loaded = loadPolicy(text, 'policy.yaml');
    const errors = loaded.kind === 'invalid' ? loaded.errors : [];
    expect(errors.map(({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`)).toContainEqual(
      expect.stringMatching(new RegExp(`^policy\\.yaml:${at}: .*${escape(says)}`)),
    );
  });
});

const WARNINGS: readonly Finding[] = [
  { title: 'a file without content', text: '# nothing\n', at: '1:1', says: 'empty' },
  { title: 'an empty path_glob', text: withRule('{ path_glob: [] }'), at: '3:25', says: 'path_glob is an empty list' },
  {
    title: 'an empty caller_tag in an exception',
    text: withRule('{ syscall: fs.read }', ['except: [{ caller_tag: [] }]']),
    at: '5:28',
    says: 'caller_tag is an empty list',
  },
  {
    title: 'an exception identical to match',
    text: withRule('{ syscall: fs.read, path_glob: a }', ['except: [{ syscall: fs.read, path_glob: a }]']),
    at: '5:14',
    says: 'never applies',
  },
  {
    title: 'an exception wider than match',
    text: withRule('{ syscall: fs.read, path_glob: a }', ['except: [{ path_glob: "**" }]']),
    at: '5:14',
    says: 'never applies',
  },
  {
    title: 'a misspelt syscall',
    text: withRule('{ syscall: fs.wirte }'),
    at: '3:23',
    says: 'did you mean "fs.write"?',
  },
  {
    title: 'a misspelt syscall among others',
    text: withRule('{ syscall: [fs.read, fs.wirte] }'),
    at: '3:33',
    says: 'did you mean "fs.write"?',
  },
  {
    title: 'an exemption of nothing',
    text: 'tdd_exemptions: { documentation: { path_glob: [] } }',
    at: '1:47',
    says: 'no file is exempt as documentation',
  },
  { title: 'no tests', text: 'workspace: { test_globs: [] }', at: '1:26', says: 'no file counts as a test' },
  { title: 'no source', text: 'workspace: { source_globs: [] }', at: '1:28', says: 'no file counts as source' },
  {
    title: 'nothing sensitive',
    text: 'review: { sensitive_globs: [] }',
    at: '1:28',
    says: 'no merge wait for a human',
  },
  {
    title: 'an allow that a deny covers',
    text: 'capabilities:\n  - { name: a, match: { syscall: fs.read, path_glob: src/ }, action: allow }\n  - { name: d, match: { syscall: fs.read }, action: deny }',
    at: '2:5',
    says: 'rule "d" denies everything it matches',
  },
  {
    title: 'an allow that a deny for all paths covers',
    text: 'capabilities:\n  - { name: a, match: { syscall: fs.read, path_glob: src/ }, action: require_review }\n  - { name: d, match: { path_glob: "**" }, action: deny }',
    at: '2:5',
    says: 'rule "d" denies',
  },
];

describe('loading warns, and says where, of', () => {
  test.each(WARNINGS)('$title', ({ text, at, says }) => {
    const loaded = loadPolicy(text, 'policy.yaml');
    expect(loaded.kind).toBe('ok');
    expect(loaded.warnings.map(({ line, column, message }) => `${line}:${column}: ${message}`)).toContainEqual(
      expect.stringMatching(new RegExp(`^${at}: .*${escape(says)}`)),
    );
  });
});

test('what a pattern is written as is told whole up to 80 characters', () => {
  const messageFor = (pattern: string) => {
    const loaded = loadPolicy(withRule(`{ path_glob: "${pattern}" }`), 'p');
    return loaded.kind === 'invalid' ? loaded.errors[0]?.message : undefined;
  };
  expect(messageFor(`!${'a'.repeat(79)}`)).toContain(`"!${'a'.repeat(79)}" begins`);
  expect(messageFor(`!${'a'.repeat(80)}`)).toContain(`"!${'a'.repeat(79)}…" begins`);
});

test('a rule that a deny covers only in part draws no warning', () => {
  const text = `capabilities:
  - { name: a, match: { syscall: fs.read, path_glob: [src/, lib/] }, action: allow }
  - { name: d, match: { syscall: fs.read, path_glob: src/ }, action: deny }
  - { name: e, match: { syscall: fs.read }, except: [{ path_glob: lib/ }], action: deny }
  - { name: f, match: { syscall: fs.read, state_machine_state: idle }, action: deny }`;
  expect(loadPolicy(text, 'p').warnings).toEqual([]);
});

test('an alias bomb is refused before it unfolds', () => {
  const levels = Array.from(
    { length: 12 },
    (_, index) =>
      `a${index}: &a${index} [${
        index === 0
          ? 'x'
          : Array(10)
              .fill(`*a${index - 1}`)
              .join(', ')
      }]`,
  );
  const loaded = loadPolicy(levels.join('\n'), 'bomb.yaml');
  expect(loaded.kind === 'invalid' && loaded.errors[0]?.message).toContain('values');
});

test('an anchor that contains itself is refused', () => {
  const loaded = loadPolicy('capabilities: &a\n  - *a', 'loop.yaml');
  expect(loaded.kind === 'invalid' && loaded.errors[0]?.message).toContain('contains itself');
});

test('lists may be shared through anchors, and errors in them are placed where they stand', () => {
  const text = `workspace: { test_globs: &tests [test/, "*.{a,b}"] }
capabilities: [{ name: r, match: { path_glob: *tests }, action: allow }]`;
  const loaded = loadPolicy(text, 'p');
  expect(loaded.kind === 'invalid' && loaded.errors.map(({ line, column }) => `${line}:${column}`)).toEqual([
    '1:41',
    '1:41',
  ]);
});

test('the hash is of the text', () => {
  const hash = (text: string) => {
    const loaded = loadPolicy(text, 'p');
    return loaded.kind === 'ok' ? loaded.policy.hash : '';
  };
  expect(hash('version: 1')).toMatch(/^[0-9a-f]{64}$/);
  expect(hash('version: 1')).not.toBe(hash('version: 1 '));
});

test('nothing in the sections is more open than the file says', () => {
  const loaded = loadPolicy('version: 1', 'p');
  if (loaded.kind === 'invalid') throw new Error('invalid');
  const { policy } = loaded;
  expect(policy.yaml.rules).toEqual([]);
  expect([...policy.networkWhitelist]).toEqual([]);
  expect([...policy.tddExemptions]).toEqual([]);
  expect(policy.workspace.tests.sources).toEqual([]);
  expect(policy.review.maxDiffLines).toBe(500);
  expect(policy.extensions).toEqual([]);
});

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

test('a misspelt key is named with the nearest one', () => {
  const loaded = loadPolicy(
    'capabilities: [{ name: a, match: { path_blob: [a] }, action: deny }]\nworkspce: {}\n',
    'p',
  );
  const messages = loaded.kind === 'invalid' ? loaded.errors.map(({ message }) => message) : [];
  expect(messages).toContain('capabilities[0].match: unknown key "path_blob"; did you mean "path_glob"?');
  expect(messages).toContain('unknown key "workspce"; did you mean "workspace"?');
});

test('of many errors ten are shown, and how many there are besides', () => {
  const loaded = loadPolicy(`capabilities: [${Array.from({ length: 40 }, () => '{}').join(', ')}]`, 'p');
  const messages = loaded.kind === 'invalid' ? loaded.errors.map(({ message }) => message) : [];
  expect(messages).toHaveLength(11);
  expect(messages.at(-1)).toMatch(/^and \d+ more errors from here on$/);
});

test.each([
  ['90s', 90_000],
  ['2m', 120_000],
])('a duration of %s is %d milliseconds', (written, ms) => {
  const loaded = loadPolicy(`scheduler: { age_threshold: ${written} }`, 'p');
  if (loaded.kind === 'invalid') throw new Error('invalid');
  expect(loaded.policy.scheduler.ageThresholdMs).toBe(ms);
});
