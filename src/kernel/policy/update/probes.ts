import type { PolicyRequest } from '../../../contracts/policy.ts';
import { COMMAND_EFFECTS, CORE_TAGS } from '../../../contracts/policy.ts';
import { SESSION_STATES } from '../../../contracts/session/workflow-states.ts';

/**
 * Requests that are tested on every change of a policy, whatever was requested lately: secrets, commands, the network,
 * and writes in each state of the workflow. A person who signs a policy sees which of them get a wider answer.
 */
export const PROBES: readonly PolicyRequest[] = [...secrets(), ...writes(), ...commands(), ...others()];

function request(syscall: string, more: Partial<PolicyRequest> = {}): PolicyRequest {
  return { syscall, state: 'idle', mode: 'strict', tags: CORE_TAGS, template: 'code-executor', ...more };
}

function secrets(): PolicyRequest[] {
  const paths = ['.env', '.npmrc', '.ssh/id_ed25519', 'deploy/tls.key', 'config/secrets.yaml', '.aws/credentials'];
  return paths.flatMap((path) => [request('fs.read', { path }), request('search.grep', { path })]);
}

function writes(): PolicyRequest[] {
  const paths = [
    'src/app.ts',
    'test/app.test.ts',
    'package.json',
    'node_modules/a/index.js',
    '.github/workflows/ci.yml',
    '.env',
  ];
  return SESSION_STATES.flatMap((state) =>
    paths.flatMap((path) => (['fs.write', 'fs.delete'] as const).map((syscall) => request(syscall, { path, state }))),
  );
}

function commands(): PolicyRequest[] {
  return (['strict', 'explore', 'debug'] as const).flatMap((mode) =>
    [
      ['sh', '-c', 'true'],
      ['npm', 'test'],
      ['git', 'push'],
    ].flatMap((command) =>
      [undefined, ...COMMAND_EFFECTS].map((effects) =>
        request('shell.run', { state: 'code_writing', mode, command, effects }),
      ),
    ),
  );
}

function others(): PolicyRequest[] {
  return [
    request('ai.generate', { host: 'unknown.example:443', template: 'ai-provider', tags: [] }),
    request('test.run', { state: 'code_writing', template: 'integration-test' }),
    ...SESSION_STATES.map((state) => request('git.commit', { state })),
    request('session.set_mode', { mode: 'debug' }),
    request('session.set_mode', { mode: 'explore' }),
    request('workflow.request_exemption', { state: 'planning', path: 'src/app.ts' }),
    request('plugin.install'),
  ];
}
