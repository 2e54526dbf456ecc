import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFluffyHome } from '../../../test/support/job/fluffy-home.ts';
import type { FluffyHome } from '../../../test/support/job/fluffy-home.ts';
import type { Agent, Service } from './agent.ts';

const PROVIDER = { responses: 'openai', messages: 'anthropic' } as const;

/** The bundled program, with its containers, as a user runs it. `kernel`: whether an earlier run has left one that still runs. */
export function fluffy(note: string, kernel: 'cold' | 'running' = 'cold'): Agent {
  return {
    name: 'fluffy',
    note,
    wires: ['responses', 'messages'],
    callFor: (step) => {
      switch (step.kind) {
        case 'read':
          return { tool: 'fs.read', input: { path: step.path } };
        case 'search':
          return { tool: 'search.grep', input: { pattern: step.word } };
        case 'plan':
          return { tool: 'plan.complete', input: { summary: step.summary, steps: ['test', 'source'] } };
        case 'create':
          return { tool: 'fs.write', input: { path: step.path, content: step.text } };
        case 'replace':
          return { tool: 'fs.edit', input: { path: step.path, old_string: step.before, new_string: step.after } };
        case 'run-tests':
          return { tool: 'test.run', input: {} };
        case 'commit':
          return { tool: 'git.commit', input: { message: step.message } };
      }
    },
    wantsSummary: ({ tools }) => tools.length === 0,
    run: async ({ project, task, service }) => {
      const home = makeFluffyHome(environment(service), config(service));
      try {
        const model = `${PROVIDER[service.wire]}/${service.model}`;
        if (kernel === 'running') await startKernel(home, project);
        const startedMs = performance.now();
        const { code, events, stderr } = await home.run(
          ['-p', task, '--model', model, '--max-turns', '400', '--output-format', 'stream-json'],
          { cwd: project, timeoutMs: 15 * 60_000 },
        );
        if (code !== 0) throw new Error(`fluffy ended with ${code}: ${JSON.stringify(events.at(-1))} ${stderr}`);
        return performance.now() - startedMs;
      } finally {
        await home.remove([project]);
      }
    },
  };
}

/** By a run of a model that says nothing. */
async function startKernel(home: FluffyHome, project: string): Promise<void> {
  const turns = join(home.env['HOME'] ?? '', 'nothing.jsonl');
  writeFileSync(turns, '{"text":"Nothing."}\n');
  const { code, stderr } = await home.run(['-p', 'Say nothing', '--model', `replay/${turns}`], { cwd: project });
  if (code !== 0) throw new Error(`fluffy did not start: ${stderr}`);
}

function environment({ wire, url }: Service): Record<string, string> {
  return wire === 'responses'
    ? { FLUFFY_OPENAI_BASE_URL: url, OPENAI_API_KEY: 'sk-for-a-benchmark' }
    : { FLUFFY_ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'sk-ant-for-a-benchmark' };
}

function config({ wire, model, windowTokens, maxOutputTokens }: Service): string {
  const facts = `{ window_tokens: ${windowTokens}, max_output_tokens: ${maxOutputTokens} }`;
  return `models:\n  ${PROVIDER[wire]}/${model}: ${facts}\n`;
}
