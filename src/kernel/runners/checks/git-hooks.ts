import { z } from 'zod';
import { parseYaml } from '../../../lib/parse-yaml.ts';
import { readManifestText } from '../javascript/package-signs.ts';
import { expandedCommand } from '../javascript/plain-script.ts';
import type { PlainCheck } from '../plain-command.ts';
import type { CheckedDirectory, CheckSource } from './check-source.ts';

const HUSKY = '.husky/pre-commit';
const LEFTHOOK = ['lefthook.yml', 'lefthook.yaml', '.lefthook.yml', '.lefthook.yaml'];
const PRE_COMMIT = '.pre-commit-config.yaml';

/** Commands that need git's index, which a sandbox does not have, or that run the tests, which run anyway. */
const LEFT_OUT = /\blint-staged\b|\bpretty-quick\b|\bgit\b|\b(?:npm|pnpm|yarn|bun)(?: run)? (?:test|t)\b/;

const stepSchema = z.looseObject({ run: z.string() });
const lefthookSchema = z.looseObject({
  'pre-commit': z.looseObject({
    commands: z.record(z.string(), z.unknown()).optional(),
    jobs: z.array(z.unknown()).optional(),
  }),
});
const preCommitSchema = z.looseObject({
  repos: z.array(z.looseObject({ repo: z.string(), hooks: z.array(z.unknown()).optional() })),
});
const localHookSchema = z.looseObject({
  id: z.string(),
  entry: z.string(),
  language: z.enum(['system', 'script']),
  pass_filenames: z.literal(false),
});

/**
 * Commands of a pre-commit hook that the project defines for husky, lefthook or pre-commit. Only commands that check
 * the whole project are used.
 */
export const gitHooks: CheckSource = {
  reads: [HUSKY, ...LEFTHOOK, PRE_COMMIT, 'package.json'],
  find: (directory) => [...husky(directory), ...lefthook(directory), ...preCommit(directory)],
};

function husky(directory: CheckedDirectory): PlainCheck[] {
  const lines = directory
    .text(HUSKY)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^(?:#|\. |source )/.test(line) && !LEFT_OUT.test(line));
  return lines.length === 0 ? [] : [hook(directory, HUSKY, lines.join(' && '))];
}

function lefthook(directory: CheckedDirectory): PlainCheck[] {
  const read = lefthookSchema.safeParse(parseYaml(LEFTHOOK.map(directory.text).find((each) => each !== '') ?? ''));
  if (!read.success) return [];
  const { commands = {}, jobs = [] } = read.data['pre-commit'];
  return [...Object.entries(commands), ...jobs.map((job, index) => [`${index + 1}`, job] as const)].flatMap(
    ([name, step]) => {
      const command = stepSchema.safeParse(step);
      // Git provides the values of placeholders such as `{staged_files}`.
      if (!command.success || /[{}]/.test(command.data.run) || LEFT_OUT.test(command.data.run)) return [];
      return [hook(directory, `lefthook ${name}`, command.data.run)];
    },
  );
}

/**
 * Only local hooks. Hooks of other repositories would have to be downloaded, and known tools are found by their own
 * settings.
 */
function preCommit(directory: CheckedDirectory): PlainCheck[] {
  const read = preCommitSchema.safeParse(parseYaml(directory.text(PRE_COMMIT)));
  if (!read.success) return [];
  return read.data.repos
    .filter(({ repo }) => repo === 'local')
    .flatMap(({ hooks = [] }) => hooks)
    .flatMap((each) => {
      const local = localHookSchema.safeParse(each);
      if (!local.success || LEFT_OUT.test(local.data.entry)) return [];
      return [hook(directory, `pre-commit ${local.data.id}`, local.data.entry)];
    });
}

function hook({ env, image, text }: CheckedDirectory, words: string, command: string): PlainCheck {
  const scripts = readManifestText(text('package.json'))?.scripts ?? {};
  return { words: words.replaceAll(/[^\w./ -]/g, '?'), script: expandedCommand(command, scripts), env, image };
}
