import { SANDBOX_TEMPLATES } from '../../../../src/contracts/sandbox/sandbox-templates.ts';
import { SESSION_MODES, SESSION_STATES } from '../../../../src/contracts/session/workflow-states.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { ReferenceClasses, ReferenceCondition, ReferenceRequest, ReferenceRule } from './reference-decision.ts';

const SYSCALLS = [
  'fs.read',
  'fs.write',
  'fs.delete',
  'test.run',
  'shell.run',
  'git.commit',
  'ai.generate',
  'vendor.tool',
] as const;
const TAGS = ['core_plugin', 'trusted_write', 'third_party', 'new_employee'] as const;
const PLUGINS = ['fs-tool', 'git-tool', 'their-tool'] as const;
const HOSTS = ['api.example.com', 'example.org', '10.0.0.1'] as const;
const NAMES = [
  'src',
  'test',
  'lib',
  'a.ts',
  'b.ts',
  'a.test.ts',
  '.env',
  'package.json',
  'docs',
  'SRC',
  'A.ts',
  'Test',
  '.ENV',
] as const;
const NAME_GLOBS = [
  ...NAMES,
  '*',
  '*.ts',
  '*.test.*',
  'a*',
  '?rc',
  '.*',
  's*c',
  '*e*s*',
  'A*',
  '*.TS',
  'T?st',
] as const;

type Command = readonly string[];
const COMMANDS: readonly [Command, ...Command[]] = [
  ['npm', 'test'],
  ['npm', 'test', '--', 'x/y'],
  ['/usr/bin/NPM', 'test'],
  ['./npm', 'run', 'build'],
  ['git', 'push'],
  ['git'],
];
const COMMAND_PATTERNS: readonly [Command, ...Command[]] = [
  ['npm'],
  ['npm', 'test', '$'],
  ['npm', '*'],
  ['*', 'te*t'],
  ['git', '$'],
  ['./npm'],
  ['n*m', 'run'],
  ['*', '*', '*', '*/*'],
];
const EFFECTS = ['discard', 'stage'] as const;
const CLASSES = ['test', 'docs', 'other', 'source', 'sensitive'] as const;

/** Lists of each class, with capital letters among them. */
export function randomClasses(random: SeededRandom): ReferenceClasses {
  return Object.fromEntries(CLASSES.map((name) => [name, random.list(0, 2, () => randomGlob(random))]));
}

/** Weighted: most policies mostly allow. */
const ACTIONS = ['allow', 'allow', 'allow', 'deny', 'deny', 'require_review', 'pass'] as const;

export function randomRules(random: SeededRandom): ReferenceRule[] {
  return random
    .list(0, 12, () => 0)
    .map((_, index) => {
      const action = random.pick(ACTIONS);
      const name = `r${index}`;
      return {
        name,
        match: randomCondition(random),
        except: random.list(0, 2, () => randomCondition(random)),
        action,
        reason: `because ${name}`,
      };
    });
}

export function randomRequest(random: SeededRandom): ReferenceRequest {
  return {
    syscall: random.pick(SYSCALLS),
    state: random.pick(SESSION_STATES),
    mode: random.pick(SESSION_MODES),
    tags: random.list(0, 2, () => random.pick(TAGS)),
    ...(random.chance(0.85) ? { path: random.list(1, 4, () => random.pick(NAMES)).join('/') } : {}),
    ...(random.chance(0.3) ? { host: random.pick(HOSTS) } : {}),
    ...(random.chance(0.5) ? { plugin: random.pick(PLUGINS) } : {}),
    ...(random.chance(0.4) ? { command: random.pick(COMMANDS) } : {}),
    ...(random.chance(0.5) ? { effects: random.pick(EFFECTS) } : {}),
    ...(random.chance(0.5) ? { template: random.pick(SANDBOX_TEMPLATES) } : {}),
  };
}

/** One to three fields, mostly of those that requests meet often, so that rules meet rules. */
function randomCondition(random: SeededRandom): ReferenceCondition {
  const some = <T extends string>(values: readonly [T, ...T[]]) =>
    random.list(random.chance(0.05) ? 0 : 1, 3, () => random.pick(values));
  const fields: [number, string, () => readonly (string | readonly string[])[]][] = [
    [0.6, 'syscall', () => some(SYSCALLS)],
    [0.6, 'path_glob', () => random.list(random.chance(0.05) ? 0 : 1, 3, () => randomGlob(random))],
    [0.15, 'caller_tag', () => some(TAGS)],
    [0.1, 'plugin', () => some(PLUGINS)],
    [0.15, 'session_mode', () => some(SESSION_MODES)],
    [0.15, 'state_machine_state', () => some(SESSION_STATES)],
    [0.1, 'sandbox_template', () => some(SANDBOX_TEMPLATES)],
    [0.1, 'effects', () => some(EFFECTS)],
    [0.1, 'host', () => some(HOSTS)],
    [0.15, 'path_class', () => some(CLASSES)],
    [0.1, 'command', () => random.list(1, 2, () => random.pick(COMMAND_PATTERNS))],
  ];
  const chosen = fields
    .filter(([probability]) => random.chance(probability))
    .map(([, field, make]) => [field, make()] as const);
  return chosen.length > 0 ? Object.fromEntries(chosen) : { path_glob: ['**'] };
}

function randomGlob(random: SeededRandom): string {
  const segments = random.list(1, 3, () => (random.chance(0.25) ? '**' : random.pick(NAME_GLOBS)));
  return `${random.chance(0.2) ? '/' : ''}${segments.join('/')}${random.chance(0.15) ? '/' : ''}`;
}
