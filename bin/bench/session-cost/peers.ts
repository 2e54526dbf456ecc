import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { userDirs } from '../../../src/contracts/host-layout.ts';
import type { ScriptedRequest } from '../../../test/support/wire/script.ts';
import type { Agent, Service } from './agent.ts';
import { runProgram } from './run-program.ts';
import type { Step } from './transcript.ts';

const PI = { package: '@mariozechner/pi-coding-agent', version: '0.73.1' };
const CODEX = { package: '@openai/codex', version: '0.169.0' };

/** A screen of another agent in a terminal. */
export interface PeerScreen {
  readonly name: string;
  readonly command: readonly string[];
  /** All of its environment. */
  readonly env: Readonly<Record<string, string>>;
  /** What its first frame has, without control sequences. */
  readonly shows: string;
}

/** Other agents, from npm, at the versions that were looked at. Throws where they cannot be had. */
export async function openPeers(): Promise<readonly Agent[]> {
  const bin = await installPeers();
  return [pi(join(bin, 'pi')), codex(join(bin, 'codex'))];
}

/** The screens of the same agents, in a home of their own; neither asks anything before its prompt. Throws where they cannot be had. */
export async function openPeerScreens(home: string, project: string): Promise<readonly PeerScreen[]> {
  const bin = await installPeers();
  mkdirSync(join(home, '.codex'), { recursive: true });
  writeFileSync(
    join(home, '.codex/config.toml'),
    `check_for_update_on_startup = false\n[projects."${project}"]\ntrust_level = "trusted"\n`,
  );
  const env = { ...environment(home), TERM: 'xterm-256color', OPENAI_API_KEY: 'key-for-a-benchmark' };
  return [
    { name: `codex (${CODEX.version})`, command: [join(bin, 'codex')], env, shows: 'OpenAI Codex' },
    {
      name: `pi (${PI.version})`,
      command: [join(bin, 'pi')],
      env: { ...env, PI_OFFLINE: '1' },
      shows: `pi v${PI.version}`,
    },
  ];
}

/** Resolves to the directory with their programs. They are installed once for all benchmarks. */
async function installPeers(): Promise<string> {
  const directory = join(userDirs(process.env).stateHome, 'bench-peers');
  const bin = join(directory, 'node_modules/.bin');
  if (!existsSync(join(bin, 'pi')) || !existsSync(join(bin, 'codex'))) {
    mkdirSync(directory, { recursive: true });
    const packages = [PI, CODEX].map((each) => `${each.package}@${each.version}`);
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--no-save'];
    await runProgram(['npm', 'install', '--prefix', directory, ...flags, ...packages], {
      cwd: directory,
      env: process.env as Record<string, string>,
    });
  }
  return bin;
}

function pi(program: string): Agent {
  return {
    name: 'pi',
    note: PI.version,
    wires: ['responses', 'messages'],
    callFor: (step) => {
      if (step.kind === 'read') return { tool: 'read', input: { path: step.path } };
      if (step.kind === 'create') return { tool: 'write', input: { path: step.path, content: step.text } };
      if (step.kind === 'replace') {
        return { tool: 'edit', input: { path: step.path, edits: [{ oldText: step.before, newText: step.after }] } };
      }
      const command = commandFor(step);
      return command === null ? null : { tool: 'bash', input: { command } };
    },
    wantsSummary: ({ tools }) => tools.length === 0,
    run: async ({ project, home, task, service, finished }) => {
      const settings = join(home, '.pi/agent');
      mkdirSync(settings, { recursive: true });
      writeFileSync(join(settings, 'models.json'), JSON.stringify({ providers: { scripted: piProvider(service) } }));
      const env = { ...environment(home), PI_OFFLINE: '1' };
      // With -p it closes the session that it goes on with after a summary.
      const command = [program, '--mode', 'rpc', '--provider', 'scripted', '--model', service.model] as const;
      const prompt = `${JSON.stringify({ type: 'prompt', message: task })}\n`;
      return runProgram(command, { cwd: project, env, input: { text: prompt, until: finished } });
    },
  };
}

function piProvider({ wire, url, model, windowTokens, maxOutputTokens }: Service): object {
  return {
    baseUrl: wire === 'responses' ? `${url}/v1` : url,
    api: wire === 'responses' ? 'openai-responses' : 'anthropic-messages',
    apiKey: 'SCRIPTED_KEY',
    models: [{ id: model, contextWindow: windowTokens, maxTokens: maxOutputTokens, input: ['text'] }],
  };
}

function codex(program: string): Agent {
  return {
    name: 'codex',
    note: CODEX.version,
    wires: ['responses'],
    callFor: (step) => {
      const command = step.kind === 'read' ? `cat ${step.path}` : (patchFor(step) ?? commandFor(step));
      return command === null ? null : { tool: 'exec_command', input: { cmd: command } };
    },
    wantsSummary: (request) => request.tools.length === 0 || isCheckpoint(request),
    run: async ({ project, home, task, service }) => {
      mkdirSync(join(home, '.codex'));
      writeFileSync(join(home, '.codex/config.toml'), codexConfig(service));
      return runProgram([program, 'exec', task], { cwd: project, env: environment(home) });
    },
  };
}

/** codex asks for a summary at the end of the whole conversation. */
function isCheckpoint({ body }: ScriptedRequest): boolean {
  const last = JSON.stringify((body['input'] as readonly unknown[]).at(-1));
  return last.includes('CONTEXT CHECKPOINT COMPACTION');
}

function codexConfig({ url, model, windowTokens }: Service): string {
  return `model = "${model}"
model_provider = "scripted"
model_context_window = ${windowTokens}
approval_policy = "never"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
`;
}

function environment(home: string): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', SCRIPTED_KEY: 'key-for-a-benchmark' };
}

function commandFor(step: Step): string | null {
  switch (step.kind) {
    case 'search':
      return `grep -rn ${step.word} .`;
    case 'run-tests':
      return 'node --test';
    case 'commit':
      return `git add --all && git commit --quiet --message '${step.message}'`;
    case 'read':
    case 'plan':
    case 'create':
    case 'replace':
      return null;
  }
}

function patchFor(step: Step): string | null {
  const lines = (text: string, sign: string): string => text.replace(/\n$/, '').replaceAll(/^/gm, sign);
  if (step.kind === 'create') return patch(`*** Add File: ${step.path}\n${lines(step.text, '+')}`);
  if (step.kind !== 'replace') return null;
  const wholeLine = (text: string): string => text.replace(/parseConfig$/, 'parseConfig(text) {\n');
  return patch(
    `*** Update File: ${step.path}\n@@\n${lines(wholeLine(step.before), '-')}\n${lines(wholeLine(step.after), '+')}`,
  );
}

function patch(body: string): string {
  return `apply_patch <<'EOF'\n*** Begin Patch\n${body}\n*** End Patch\nEOF\n`;
}
