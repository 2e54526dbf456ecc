import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeFluffyHome } from '../support/job/fluffy-home.ts';
import type { FluffyHome } from '../support/job/fluffy-home.ts';
import { giveAway, makeJobProject } from '../support/job/job-project.ts';
import type { JobProject } from '../support/job/job-project.ts';
import { openTmuxTerminal } from '../support/terminal/tmux-terminal.ts';
import type { TmuxTerminal } from '../support/terminal/tmux-terminal.ts';

const FROZEN =
  'capabilities: [{ name: frozen, match: { syscall: fs.read, path_glob: [src/] }, action: deny, reason: "Nobody reads it today" }]\n';
const OPEN = 'version: 1\ncapabilities: []\n';

interface Scene {
  readonly project: JobProject;
  readonly home: FluffyHome;
  readonly terminals: TmuxTerminal[];
  /** fluffy in a terminal; its editor puts `draft` in place of what it is given. */
  open(columns: number, rows: number, ...args: string[]): TmuxTerminal;
  draft(text: string): void;
}

const scenes: Scene[] = [];
afterEach(async () => {
  for (const { project, home, terminals } of scenes.splice(0)) {
    for (const terminal of terminals) terminal.close();
    await home.remove([project.root]);
    project.remove();
  }
});

function scene(): Scene {
  const project = makeJobProject();
  mkdirSync(join(project.root, '.fluffy'));
  writeFileSync(join(project.root, '.fluffy/policy.yaml'), FROZEN);
  giveAway(project.root);
  const home = makeFluffyHome();
  const draft = join(home.env['HOME'] ?? '', 'draft.yaml');
  const terminals: TmuxTerminal[] = [];
  const made: Scene = {
    project,
    home,
    terminals,
    open: (columns, rows, ...args) => {
      const command = [process.execPath, resolve('dist/cli.mjs'), ...args];
      const env = { ...home.env, EDITOR: `cp ${draft}`, TMPDIR: home.env['HOME'] ?? '' };
      const terminal = openTmuxTerminal({ columns, rows, cwd: project.root, env, command });
      terminals.push(terminal);
      return terminal;
    },
    draft: (text) => writeFileSync(draft, text),
  };
  scenes.push(made);
  return made;
}

it.each([
  [80, 24],
  [140, 40],
])(
  'a denied call names its rule, /why tells the rest, and an edit beside it counts at once (%ix%i)',
  async (columns, rows) => {
    const { project, home, open, draft } = scene();
    const replay = join(home.env['HOME'] ?? '', 'model.jsonl');
    const read = { tool: 'fs.read', input: { path: './src/../src/parse-config.js' } };
    const turns = [{ calls: [read] }, { text: 'It is closed.' }, { calls: [read] }, { text: 'It is open.' }];
    writeFileSync(replay, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(''));
    const session = open(columns, rows, '--model', `replay/${replay}`, 'Look');
    const denied = await session.shows(/policy_denied by frozen: Nobody reads it today\s+\/why.explains.it/);
    expect(denied).toContain('✗ fs.read');
    await session.shows(/Done\./);
    session.enter('/why');
    const why = await session.shows(/Change frozen with fluffy config policy edit/);
    expect(why).toContain('fs.read src/parse-config.js was denied in state planning, mode strict.');
    expect(why).toMatch(/deny frozen \(yaml\): Nobody reads it today/);

    // Looked at, but not confirmed: what was written is kept.
    draft(OPEN);
    const doubting = open(columns, rows, 'config', 'policy', 'edit');
    await doubting.shows(/fs\.read src\/parse-config\.js \(planning, strict\): deny -> allow/);
    doubting.enter('n');
    expect(await doubting.ended()).toBe(4);
    const kept = /kept in (\S+)/.exec(doubting.scrollback().replaceAll('\n', ''))?.[1] ?? '';
    expect(readFileSync(kept, 'utf8')).toBe(OPEN);

    const sure = open(columns, rows, 'config', 'policy', 'edit');
    await confirm(sure);
    expect(await sure.ended()).toBe(0);
    await session.shows(/The policy has changed: you approved another one/);
    expect(readFileSync(join(project.root, '.fluffy/policy.yaml'), 'utf8')).toBe(OPEN);
    session.enter('Look again');
    await session.shows(/✓ fs\.read/);
    await session.shows(/It is open\./);
  },
  200_000,
);

/** Says yes, by the phrase if one is wanted. */
async function confirm(terminal: ReturnType<ReturnType<typeof scene>['open']>): Promise<void> {
  const shown = await terminal.shows(/Put this policy in force and sign it\? \[y\/N\]|To go on, type: [^\n]+\n\s*>/);
  terminal.enter(/To go on, type: ([^\n]+?)\s*\n/.exec(shown)?.[1] ?? 'y');
}

it('a text that does not load is told with its places, and can be edited again', async () => {
  const { project, open, draft } = scene();
  draft('capabilities: 1\n');
  const terminal = open(80, 24, 'config', 'policy', 'edit');
  await terminal.shows(/\.fluffy\/policy\.yaml:1:15: error: [\s\S]*Edit it again\? \[y\/N\]/);
  draft(OPEN);
  terminal.enter('y');
  await confirm(terminal);
  expect(await terminal.ended()).toBe(0);
  expect(terminal.scrollback().replaceAll('\n', '')).toContain(
    'No kernel runs for this project; the next one decides by it.',
  );
  expect(readFileSync(join(project.root, '.fluffy/policy.yaml'), 'utf8')).toBe(OPEN);
}, 120_000);
